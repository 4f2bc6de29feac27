/** `lab model` as it is called, without Vite: what an experiment is prepared by has to load in Node alone. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownCard } from '../src/model/fit'
import { measuredOn } from '../src/model/testing/measured-on'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lab-model-'))
  const own = ownCard(measuredOn('recordings'), '2026-11-28T00:00:00.000Z')
  await writeFile(join(folder, 'card.json'), JSON.stringify(own?.card))
})
afterAll(() => rm(folder, { recursive: true }))

async function node(...args: readonly string[]) {
  const child = spawn(process.execPath, args)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ])
  return { stdout, stderr, code }
}

interface Printed {
  readonly metrics: readonly { readonly name: string; readonly variant: string; readonly value: number }[]
  readonly verification: { readonly checked: number; readonly failed: number }
}

it.each([
  ['software', 'SwiftShader'],
  ['firefox', 'unnamed adapter'],
])(
  'lab model --card %s models the machine that was recorded',
  async (card, named) => {
    const { stdout, code } = await node('cli/lab.mjs', 'model', 'sync-stalls', '--card', card)
    expect(code).toBe(0)
    expect(stdout).toContain('every-step')
    expect(stdout).toContain(named)
  },
  30_000,
)

describe('lab model --card FILE', () => {
  const model = (experiment: string, ...more: readonly string[]) =>
    node('cli/lab.mjs', 'model', experiment, '--card', join(folder, 'card.json'), '--json', ...more)

  it('prints figures', async () => {
    const { stdout, code } = await model('async-submission')
    expect(code).toBe(0)
    const { metrics } = JSON.parse(stdout) as { readonly metrics: readonly { readonly origin: string }[] }
    expect(metrics.length).toBeGreaterThan(0)
    expect(metrics.every(({ origin }) => origin === 'modelled')).toBe(true)
  }, 30_000)

  it('runs ranks that send, receive and add, each with its own clock, and checks what they have', async () => {
    const { stdout, code } = await model('collectives', '--set', 'sizes=1,256')
    expect(code).toBe(0)
    const { metrics, verification } = JSON.parse(stdout) as Printed
    expect(verification.checked).toBeGreaterThan(0)
    expect(verification.failed).toBe(0)
    const leadAt = (kib: number) =>
      metrics.find(({ name, variant }) => name === 'lead' && variant === `ring-4x${String(kib)}`)?.value
    expect(leadAt(1)).toBeLessThan(1)
    expect(leadAt(256)).toBeGreaterThan(1)
  }, 30_000)

  it('runs ranks that compute: a pipeline stands idle as its bubble says, and messages are what is idle besides', async () => {
    const { stdout, code } = await model(
      'pipeline-bubble',
      '--set',
      'stageMs=10',
      '--set',
      'microBatches=1,8',
    )
    expect(code).toBe(0)
    const { metrics, verification } = JSON.parse(stdout) as Printed
    expect(verification.checked).toBeGreaterThan(0)
    expect(verification.failed).toBe(0)
    for (const variant of ['gpipe-1', '1f1b-1', 'gpipe-8', '1f1b-8']) {
      const of = (wanted: string) =>
        metrics.find((metric) => metric.name === wanted && metric.variant === variant)?.value ?? Number.NaN
      expect(of('bubble-ratio'), variant).toBeGreaterThan(of('predicted-ratio'))
      expect(of('bubble-ratio') - of('predicted-ratio'), variant).toBeLessThan(0.05)
    }
  }, 30_000)

  it('runs ranks that share one GPU, which takes turns among their devices: more ranks gain nothing', async () => {
    const { stdout, code } = await model('ranks', '--set', 'also=both-send', '--set', 'kernel=4')
    expect(code).toBe(0)
    const { metrics, verification } = JSON.parse(stdout) as {
      readonly metrics: readonly { readonly name: string; readonly variant: string; readonly value: number }[]
      readonly verification: { readonly checked: number; readonly failed: number } | null
    }
    expect(verification?.failed ?? 0).toBe(0)
    const speedup = (variant: string) =>
      metrics.find((metric) => metric.name === 'speedup' && metric.variant === variant)?.value
    expect(speedup('two-ranks')).toBeLessThan(1)
    expect(speedup('four-ranks')).toBeLessThan(speedup('two-ranks') ?? 0)
  }, 30_000)

  it('says in one sentence that a card without figures of ranks runs none', async () => {
    const { stderr, code } = await node('cli/lab.mjs', 'model', 'ranks', '--card', 'cuda')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^error: The model cannot run it\. .*This card has no figures of ranks.*\n$/)
  }, 30_000)

  it('loads what prepares any experiment', async () => {
    const ids = (await readdir('src/experiments', { withFileTypes: true })).filter((entry) =>
      entry.isDirectory(),
    )
    const paths: string[] = []
    for (const { name } of ids)
      if ((await readdir(join('src/experiments', name))).includes('prepare.ts'))
        paths.push(join(process.cwd(), 'src/experiments', name, 'prepare.ts'))
    expect(paths.length).toBeGreaterThan(10)
    const script = `import { register as hooks } from 'node:module'
      import { register } from 'tsx/esm/api'
      register()
      hooks('./cli/raw-hooks.mjs', 'file://${process.cwd()}/')
      for (const path of ${JSON.stringify(paths)}) await import(path)`
    expect(await node('--input-type=module', '-e', script)).toMatchObject({ stderr: '', code: 0 })
  }, 60_000)
})
