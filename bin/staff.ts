// The staff command, which bin/crcs.cjs starts: `npx crcs --help` shows what it does.
import { loadSettings } from '../lib/settings-file.ts';
import { openDeployment } from '../lib/staff/doctor/open.ts';
import { openNotifications } from '../lib/staff/notifications/open.ts';
import { runAsProcess } from '../lib/staff/process.ts';
import { openTables } from '../lib/staff/tables/open.ts';

await runAsProcess({ loadSettings: () => loadSettings(process.env), openTables, openNotifications, openDeployment });
