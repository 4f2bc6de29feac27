/**
 * `npm run build:cli`: a package in dist-cli/ with `analyze` in one file, ready for `npm pack` and `npm publish`. It depends on no other.
 * `--out DIR` for another folder.
 */
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureDependencies } from './dependencies.mjs'
import { ROOT, runCommand } from './terminal.mjs'

const COMMAND = 'host-device-lab'
const FILE = `${COMMAND}.mjs`

/** Of the lessons it needs only which mends what: read now, not where it runs. */
async function lessonsAsData() {
  const { register } = await import('tsx/esm/api')
  register()
  const { lessonHeads } = await import('../vite/words/lesson-heads')
  return {
    name: 'lessons-as-data',
    enforce: /** @type {const} */ ('pre'),
    /** @param {string} id */
    resolveId: (id) => (id.endsWith('vite/words/lesson-heads') ? '\0lessons' : null),
    /** @param {string} id */
    load: (id) =>
      id === '\0lessons' ? `export const lessonHeads = () => ${JSON.stringify(lessonHeads())}` : null,
  }
}

/** @param {string} out */
async function bundle(out) {
  const { build } = await import('vite')
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [await lessonsAsData()],
    ssr: { noExternal: true },
    build: {
      ssr: join(ROOT, 'cli', 'analyze-alone.ts'),
      outDir: out,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'node20',
      rolldownOptions: {
        checks: { bundlerTimings: false },
        external: [...builtinModules, /^node:/],
        output: { entryFileNames: FILE, codeSplitting: false, banner: '#!/usr/bin/env node' },
      },
    },
  })
}

await runCommand(async () => {
  const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'dist-cli') } } })
  const out = resolve(values.out)
  await ensureDependencies('for running')
  await mkdir(out, { recursive: true })
  await bundle(out)
  /** @type {unknown} */
  const known = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const { version, license, engines } = /** @type {Record<string, unknown>} */ (known)
  const manifest = {
    name: COMMAND,
    version,
    description:
      'Says of a torch.profiler trace why the GPU was idle: by cause, with the line, as text, JSON or Markdown.',
    license,
    type: 'module',
    engines,
    bin: { [COMMAND]: FILE },
    files: [FILE],
  }
  await writeFile(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  await copyFile(join(ROOT, 'LICENSE'), join(out, 'LICENSE'))
  await writeFile(
    join(out, 'README.md'),
    `# ${COMMAND}\n\n${manifest.description}\n\n    npx ${COMMAND} analyze trace.json.gz\n    npx ${COMMAND} analyze trace.json.gz --fail-if "busyRatio < 0.8"\n\n\`--help\` has all options.\n`,
  )
  await chmod(join(out, FILE), 0o755)
  return 0
})
