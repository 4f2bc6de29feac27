/**
 * `npm run build:cli`: a package in dist-cli/ with `analyze` and `record` in one file, ready for
 * `npm pack` and `npm publish`. It depends on no other. `--out DIR` for another folder.
 */
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureDependencies } from './dependencies.mjs'
import { ROOT, runCommand } from './terminal.mjs'

const COMMAND = 'host-device-lab'
const FILE = `${COMMAND}.mjs`

/** Which lesson mends what, and what goes into pages: made now, not where the package runs. */
async function madeNow() {
  const { register } = await import('tsx/esm/api')
  register()
  const { lessonHeads } = await import('../vite/words/lesson-heads')
  const { recorderScript } = await import('../vite/recorder-file')
  /** @param {Readonly<Record<string, unknown>>} values */
  const module = (values) =>
    Object.entries(values)
      .map(([name, value]) => `export const ${name} = () => ${JSON.stringify(value)}\n`)
      .join('')
  const modules = new Map([
    ['vite/words/lesson-heads', module({ lessonHeads: lessonHeads() })],
    ['vite/recorder-file', module({ recorderScript: await recorderScript('iife') })],
  ])
  return {
    name: 'made-now',
    enforce: /** @type {const} */ ('pre'),
    /** @param {string} id */
    resolveId: (id) => {
      const name = [...modules.keys()].find((end) => id.endsWith(end))
      return name === undefined ? null : `\0${name}`
    },
    /** @param {string} id */
    load: (id) => modules.get(id.slice(1)) ?? null,
  }
}

/** @param {string} out */
async function bundle(out) {
  const { build } = await import('vite')
  await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [await madeNow()],
    ssr: { noExternal: true },
    build: {
      ssr: join(ROOT, 'cli', 'lab-alone.ts'),
      outDir: out,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'node20',
      rolldownOptions: {
        checks: { bundlerTimings: false },
        // Playwright’s Chromium is found where Playwright is.
        external: [...builtinModules, /^node:/, 'playwright-core'],
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
      'Says why the GPU was idle, by cause and with the line: from a torch.profiler trace, or by recording the WebGPU of a page.',
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
    `# ${COMMAND}\n\n${manifest.description}\n\n    npx ${COMMAND} analyze trace.json.gz\n    npx ${COMMAND} analyze trace.json.gz --fail-if "busyRatio < 0.8"\n    npx ${COMMAND} record https://your.site/page\n\n\`record\` needs an installed Chrome or Chromium, or one that \`CHROME_PATH\` names. \`--help\` has all options.\n`,
  )
  await chmod(join(out, FILE), 0o755)
  return 0
})
