/**
 * licences.txt: the licence of every package that the site may carry, as its authors ask for.
 * Listed are package.json's dependencies without those that only build, and what these depend on,
 * types aside; a little more than is bundled, never less.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'

interface Locked {
  readonly packages: Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>>
}
interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
  readonly author?: string | { readonly name?: string }
}

const ROOT = resolve(import.meta.dirname, '..')
const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8')) as unknown

async function licenceOf(folder: string): Promise<string> {
  const { name, version, license, author } = (await readJson(join(folder, 'package.json'))) as Manifest
  const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each))
  const by = typeof author === 'string' ? author : author?.name
  const text = file
    ? (await readFile(join(folder, file), 'utf8')).trim()
    : `The package has no licence file. Its package.json says: ${license ?? 'nothing'}${by ? `, by ${by}` : ''}.`
  return `${name} ${version} (${license ?? 'see below'})\n\n${text}\n`
}

/** Of package.json's dependencies those that build and serve the site, and are no part of it. */
const TOOLS: readonly string[] = [
  '@fontsource/inter',
  '@resvg/resvg-js',
  '@vitejs/plugin-react',
  'fontkit',
  'playwright-core',
  'shiki',
  'tsx',
  'vite',
  'yaml',
]

/**
 * By the paths that they are installed at, sorted; of a package that is there in several versions
 * all.
 */
async function carriedPackages(root: string) {
  const { packages } = (await readJson(join(root, 'package-lock.json'))) as Locked
  const all = Object.keys(packages)
  const paths = new Set<string>()
  const carry = (names: readonly string[]): void => {
    for (const path of names.flatMap((name) => all.filter((each) => each.endsWith(`node_modules/${name}`)))) {
      if (paths.has(path) || path.includes('node_modules/@types/')) continue
      paths.add(path)
      carry(Object.keys(packages[path]?.dependencies ?? {}))
    }
  }
  carry(Object.keys(packages['']?.dependencies ?? {}).filter((name) => !TOOLS.includes(name)))
  return [...paths].sort()
}

/** Exported for its test. @public */
export async function licencesText(root = ROOT): Promise<string> {
  const carried = await carriedPackages(root)
  const texts = await Promise.all(carried.map((path) => licenceOf(join(root, path))))
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

export const licences = (): Plugin => ({
  name: 'licences',
  apply: 'build',
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source: await licencesText() })
  },
})
