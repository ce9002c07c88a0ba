import { createDynalite } from '../test/support/dynalite.ts';
import { listen } from '../test/support/server.ts';

process.send?.(await listen(createDynalite()));
