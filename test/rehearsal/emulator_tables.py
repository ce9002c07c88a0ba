"""
Tables as CloudFormation has them, where ministack does otherwise (services/cloudformation/provisioners.py):

- A stack takes in an AWS::DynamoDB::GlobalTable that is there (--import-existing-resources), as ministack does with an
  AWS::DynamoDB::Table. https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
- A table is not made where there is one of its name: ministack puts an empty one in its place (_ddb_create).
- A table that a stack changes keeps its items: ministack looks for it under another name, and makes a new one
  (_ddb_global_table_update).
- Class, deletion protection, point-in-time recovery and expiry are set: ministack leaves out what stands in Replicas
  (_ddb_global_table_create), and the expiry. A stack cannot delete a table that is protected.
- A table that a stack does not change is left alone, also where it is gone: ministack makes an empty one.
"""

import time

from ministack.core.responses import get_account_id, get_region
from ministack.services import dynamodb
from ministack.services.cloudformation import changesets, provisioners

GLOBAL_TABLE = "AWS::DynamoDB::GlobalTable"

table = provisioners._RESOURCE_HANDLERS[GLOBAL_TABLE]
create_table, update_table, delete_table = table["create"], table["update"], table["delete"]


def set_up(name, props):
    replica = next(each for each in props["Replicas"] if each["Region"] == get_region())
    recovery = replica.get("PointInTimeRecoverySpecification", {})
    dynamodb._tables[name]["DeletionProtectionEnabled"] = replica.get("DeletionProtectionEnabled", False)
    table_class = {"TableClass": replica.get("TableClass", "STANDARD"), "LastUpdateDateTime": int(time.time())}
    dynamodb._tables[name]["TableClassSummary"] = table_class
    dynamodb._pitr_settings[name] = recovery.get("PointInTimeRecoveryEnabled", False)
    expiry = props.get("TimeToLiveSpecification")
    if expiry:
        dynamodb._update_ttl({"TableName": name, "TimeToLiveSpecification": expiry})


def create(logical_id, props, stack_name):
    name = props.get("TableName")
    if name in dynamodb._tables:
        raise ValueError(f"Resource of type '{GLOBAL_TABLE}' with identifier '{name}' already exists.")
    name, attributes = create_table(logical_id, props, stack_name)
    set_up(name, props)
    return name, attributes


def update(name, old, new, stack_name):
    if old == new:
        there = dynamodb._tables.get(name)
        gone = {"Arn": f"arn:aws:dynamodb:{get_region()}:{get_account_id()}:table/{name}"}
        return name, provisioners._ddb_attrs(there) if there else gone
    if "TableName" not in {**old, **new}:
        old, new = {**old, "TableName": name}, {**new, "TableName": name}
    name, attributes = update_table(name, old, new, stack_name)
    set_up(name, new)
    return name, attributes


def delete(name, props):
    if dynamodb._tables.get(name, {}).get("DeletionProtectionEnabled"):
        raise ValueError(f"Resource cannot be deleted as it is currently protected against deletion: {name}")
    delete_table(name, props)


table |= {"create": create, "update": update, "delete": delete, "import": provisioners._ddb_import}
changesets._IMPORT_LOOKUPS[GLOBAL_TABLE] = (("TableName",), changesets._table_import_problem)
