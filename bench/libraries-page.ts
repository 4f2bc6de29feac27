/**
 * Pages of other libraries, a folder each in dist-pages/: the program as it stands in
 * libraries/programs/, and beside it the library as its package has it, so that a recording names
 * lines of what is published. Nothing in them is loaded from elsewhere.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ensureBenchDependencies } from '../cli/dependencies.mjs'
import { ROOT } from '../cli/terminal.mjs'
import { bundleModule } from '../vite/bundle-module'

export const PAGES_FOLDER = join(ROOT, 'dist-pages')

interface LibraryPage {
  readonly title: string
  readonly package: string
  /**
   * The program imports this name, which is that file of the package. Null: the library is bundled,
   * since its files import others that are no modules.
   */
  readonly entry: readonly [specifier: string, file: string | null]
  /** What that file imports. */
  readonly files?: readonly string[]
  readonly shared: string
}

export const LIBRARY_PAGES: Readonly<Record<string, LibraryPage>> = {
  three: {
    title: 'three.js',
    package: 'three',
    entry: ['three/webgpu', 'build/three.webgpu.js'],
    files: ['build/three.core.js', 'build/three.tsl.js'],
    shared: 'boxes.js',
  },
  playcanvas: {
    title: 'PlayCanvas',
    package: 'playcanvas',
    entry: ['playcanvas', 'build/playcanvas.mjs'],
    shared: 'boxes.js',
  },
  tensorflow: {
    title: 'TensorFlow.js',
    package: '@tensorflow/tfjs-backend-webgpu',
    entry: ['@tensorflow/tfjs-core', null],
    shared: 'network.js',
  },
  jax: {
    title: 'jax-js',
    package: '@jax-js/jax',
    entry: ['@jax-js/jax', 'dist/index.js'],
    files: ['dist/'],
    shared: 'network.js',
  },
}

/** Of a package, as it says itself. */
interface Facts {
  readonly version: string
  readonly license: string
}

const html = ({ title, entry: [specifier] }: LibraryPage, file: string, facts: Facts): string =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<title>${title} ${facts.version}</title>
<link rel="icon" href="data:," />
<script type="importmap">
  ${JSON.stringify({ imports: { [specifier]: `./${file}` } })}
</script>
<script>
  // Where nothing records, nothing is marked.
  const mark = (text) => globalThis[Symbol.for('host-device-lab.recorder')]?.mark(text)
  const end = (text) => {
    mark(text)
    globalThis.isDone = true
  }
  mark(${JSON.stringify(`library: ${title} ${facts.version}, ${facts.license}`)})
  globalThis.ended = (checked) => end('checked: ' + checked)
  addEventListener('error', ({ message }) => end('failed: ' + message))
  addEventListener('unhandledrejection', ({ reason }) => end('failed: ' + reason))
</script>
<body>
<script type="module" src="./page.js"></script>
`

async function buildPage(name: string, page: LibraryPage): Promise<void> {
  const from = join(import.meta.dirname, 'node_modules', page.package)
  const to = join(PAGES_FOLDER, name)
  const [, published] = page.entry
  await mkdir(to, { recursive: true })
  if (published === null)
    await writeFile(
      join(to, `${name}.bundle.js`),
      await bundleModule(join(import.meta.dirname, 'peers', `${name}.ts`), { minify: false }),
    )
  else
    for (const file of [published, ...(page.files ?? [])]) {
      const isFolder = file.endsWith('/')
      await cp(join(from, file), isFolder ? to : join(to, basename(file)), {
        recursive: true,
        dereference: true,
        filter: (path) => !/\.(cjs|cts|map|d\.ts)$/.test(path),
      })
    }
  const programs = join(import.meta.dirname, 'libraries/programs')
  await cp(join(programs, `${name}.js`), join(to, 'page.js'))
  await cp(join(programs, page.shared), join(to, page.shared))
  const facts = JSON.parse(await readFile(join(from, 'package.json'), 'utf8')) as Facts // of a published package
  await writeFile(
    join(to, 'index.html'),
    html(page, published === null ? `${name}.bundle.js` : basename(published), facts),
  )
}

export async function buildLibraryPages(names: readonly string[]): Promise<void> {
  await ensureBenchDependencies()
  for (const name of names) {
    const page = LIBRARY_PAGES[name]
    if (!page) continue
    await rm(join(PAGES_FOLDER, name), { recursive: true, force: true })
    await buildPage(name, page)
  }
}
