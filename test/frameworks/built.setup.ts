import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { bundleFunctions } from '../../lib/infrastructure/bundle.ts';
import { proofBits, type Service, startService } from '../browser/service.ts';
import { projectDir, run } from '../support/command.ts';
import { installNpmPackages } from '../support/install.ts';
import { filesIn, scriptPathOf } from './documented.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The built site, and a service that marks contact requests without a proof of work as spam. */
    readonly astro: Service;
  }
}

const heading = 'Astro';

/** Builds a site of our pages and the files that docs/frameworks.md shows. @returns the folder of the site */
const buildSite = async () => {
  const source = join(import.meta.dirname, 'astro');
  const packages = installNpmPackages(join('frameworks', 'astro'), source, '--ignore-scripts');
  const project = join(dirname(packages), 'project');
  await rm(project, { recursive: true, force: true });
  await cp(source, project, { recursive: true });
  for (const [path, content] of filesIn(heading)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    // As docs/spam.md says for a proof of work.
    await writeFile(join(project, path), content.replace(' method="post"', `$& data-proof="${proofBits}"`));
  }
  await cp(join(projectDir, 'example-site', 'contact-form.js'), join(project, scriptPathOf(heading)));
  await run(process.execPath, [join(packages, 'astro', 'bin', 'astro.mjs'), 'build'], {
    // Vitest's own NODE_ENV would make it a site for development.
    env: { ...process.env, NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1' },
    signal: AbortSignal.timeout(5 * 60_000),
    cwd: project,
  });
  return join(project, 'dist');
};

export default async ({ provide }: TestProject) => {
  const bundlesFolder = await mkdtemp(join(tmpdir(), 'frameworks-test-bundles-'));
  const bundles = await bundleFunctions(bundlesFolder);
  const { site, stop } = await startService(bundles, await buildSite(), { spam: { proofOfWork: 'mark', proofBits } });

  provide('astro', site);
  return async () => {
    await stop();
    await rm(bundlesFolder, { recursive: true });
  };
};
