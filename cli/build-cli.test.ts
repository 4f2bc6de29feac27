/**
 * The package of `analyze` and `record` (e2e/record-command.spec.ts): packed, installed from its
 * tarball into an empty folder, and run there.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const PROFILE = resolve('public/recordings/torch-sync-stalls-stalled.json.gz')
let folder = ''
let command = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lab-cli-'))
  const built = join(folder, 'built')
  await run(process.execPath, ['cli/build-cli.mjs', '--out', built])
  await run('npm', ['pack', '--pack-destination', folder], { cwd: built })
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? ''
  await writeFile(join(folder, 'package.json'), '{ "private": true }')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder })
  command = join(folder, 'node_modules', '.bin', 'host-device-lab')
}, 300_000) // as long as a test may take: vitest.config.ts
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

describe('the package', () => {
  it('is one file, and depends on nothing', async () => {
    expect(await readdir(join(folder, 'node_modules'))).toEqual([
      '.bin',
      '.package-lock.json',
      'host-device-lab',
    ])
    const files = await readdir(join(folder, 'node_modules', 'host-device-lab'))
    expect(files.toSorted()).toEqual(['LICENSE', 'README.md', 'host-device-lab.mjs', 'package.json'])
    const code = await readFile(
      join(folder, 'node_modules', 'host-device-lab', 'host-device-lab.mjs'),
      'utf8',
    )
    expect(code).not.toContain(process.cwd())
  })

  it('analyses a profile as the clone does', async () => {
    const { stdout } = await run(command, ['analyze', PROFILE, '--json'], { cwd: folder, maxBuffer: 2 ** 26 })
    expect(JSON.parse(stdout)).toMatchObject({
      schema: 'host-device-lab/analysis@2',
      diagnoses: [
        {
          findings: expect.arrayContaining([
            expect.objectContaining({ cause: 'read-back', lesson: 'sync-stalls' }),
          ]) as unknown,
        },
      ],
    })
  })

  it('holds a program to a condition, and says what is wrong with a call', async () => {
    const ended = (...args: readonly string[]) => run(command, args, { cwd: folder })
    await expect(ended('analyze', PROFILE, '--fail-if', 'busyRatio < 0.99')).rejects.toMatchObject({
      code: 1,
    })
    await expect(ended('analyze', 'none.json')).rejects.toMatchObject({ code: 2, stdout: '' })
    expect((await ended('--help')).stdout).toContain('host-device-lab analyze FILE')
  })
})
