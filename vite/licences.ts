/**
 * licences.txt: the licence of every package that the site may carry, as its authors ask for. What package-lock.json installs for running
 * (not for developing) is listed, types aside; a little more than is bundled, never less.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Plugin } from 'vite'

interface Locked {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly version?: string }>>
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

/** Sorted by the path that they are installed at. */
export async function licencesText(root = ROOT): Promise<string> {
  const { packages } = (await readJson(join(root, 'package-lock.json'))) as Locked
  const carried = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true && !path.startsWith('node_modules/@types/'))
    .map(([path]) => path)
    .sort()
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
