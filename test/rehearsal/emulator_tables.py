"""
Tables as CloudFormation has them, where ministack has less (services/cloudformation/provisioners.py):

- It takes in an AWS::DynamoDB::GlobalTable that is there (--import-existing-resources), as it does an AWS::DynamoDB::Table.
  https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/import-resources-automatically.html
- A table whose name CloudFormation made up is changed in place: ministack makes another name up and a new table
  (_ddb_global_table_update, which is not told the logical id).
- Deletion protection and point-in-time recovery of the replica, and the expiry, are set: ministack leaves out what stands in
  Replicas (_ddb_global_table_create), and the expiry of either kind.
"""

from ministack.core.responses import get_region
from ministack.services import dynamodb
from ministack.services.cloudformation import changesets, provisioners

GLOBAL_TABLE = "AWS::DynamoDB::GlobalTable"

table = provisioners._RESOURCE_HANDLERS[GLOBAL_TABLE]
create_table, update_table = table["create"], table["update"]


def apply(name, props):
    """What is set on a table that is there."""
    replica = next(each for each in props["Replicas"] if each["Region"] == get_region())
    recovery = replica.get("PointInTimeRecoverySpecification", {})
    dynamodb._tables[name]["DeletionProtectionEnabled"] = replica.get("DeletionProtectionEnabled", False)
    dynamodb._pitr_settings[name] = recovery.get("PointInTimeRecoveryEnabled", False)
    expiry = props.get("TimeToLiveSpecification")
    if expiry:
        dynamodb._update_time_to_live({"TableName": name, "TimeToLiveSpecification": expiry})


def create(logical_id, props, stack_name):
    name, attributes = create_table(logical_id, props, stack_name)
    apply(name, props)
    return name, attributes


def update(name, old, new, stack_name):
    if old.get("TableName") == new.get("TableName"):
        old, new = {**old, "TableName": name}, {**new, "TableName": name}
    name, attributes = update_table(name, old, new, stack_name)
    apply(name, new)
    return name, attributes


table |= {"create": create, "update": update, "import": provisioners._ddb_import}
changesets._IMPORT_LOOKUPS[GLOBAL_TABLE] = (("TableName",), changesets._table_import_problem)
