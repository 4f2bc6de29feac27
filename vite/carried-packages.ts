/**
 * licences.txt: the licence of every package that the site may carry, as its authors ask for; and the same packages as a bill of materials,
 * CycloneDX 1.6 (cyclonedx.org/docs/1.6/json). Listed are package.json's dependencies without those that only build, and what these depend on,
 * types aside; a little more than is bundled, never less. Both are the same bytes for the same lock file.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

interface Locked {
  readonly name: string
  readonly version: string
  readonly packages: Readonly<Record<string, LockedPackage>>
}
interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly version?: string
  /** SPDX, as npm writes it. */
  readonly license?: string
  /** Of the package's archive, as in Subresource Integrity: 'sha512-' and base64. */
  readonly integrity?: string
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

/** Where a package finds another: beside its own files, or beside those of the folders above. */
function pathOf(name: string, from: string, packages: Locked['packages']): string {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (path in packages) return path
  if (from === '') throw new Error(`package-lock.json has no ${name}.`)
  return pathOf(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), packages)
}

/** By the paths that they are installed at, sorted. */
async function carriedPackages(root: string) {
  const lock = (await readJson(join(root, 'package-lock.json'))) as Locked
  const { packages } = lock
  const paths = new Set<string>()
  const carry = (from: string, leftOut: readonly string[]): void => {
    for (const name of Object.keys(packages[from]?.dependencies ?? {})) {
      if (leftOut.includes(name) || name.startsWith('@types/')) continue
      const path = pathOf(name, from, packages)
      if (paths.has(path)) continue
      paths.add(path)
      carry(path, [])
    }
  }
  carry('', TOOLS)
  const carried = [...paths].sort().map((path) => [path, packages[path] ?? {}] as const)
  return { lock, carried }
}

export async function licencesText(root = ROOT): Promise<string> {
  const { carried } = await carriedPackages(root)
  const texts = await Promise.all(carried.map(([path]) => licenceOf(join(root, path))))
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

/** 'node_modules/a/node_modules/@b/c' is @b/c. */
const nameAt = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
/** Package URL (purl-spec, type npm): the @ of a scope is escaped. */
const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

export async function billOfMaterials(root = ROOT): Promise<string> {
  const { lock, carried } = await carriedPackages(root)
  const components = carried.map(([path, { version = '', license, integrity }]) => {
    const name = nameAt(path)
    const [, sha512] = /^sha512-(.+)$/.exec(integrity ?? '') ?? []
    return {
      type: 'library',
      'bom-ref': path,
      name,
      version,
      purl: purlOf(name, version),
      ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
      ...(sha512 === undefined
        ? {}
        : { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
    }
  })
  const component = { type: 'application', 'bom-ref': lock.name, name: lock.name, version: lock.version }
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, metadata: { component }, components }
  return `${JSON.stringify(bill, null, 2)}\n`
}
