import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analysisJson, analysisText, analyzeFile } from './lab-analyze'
import { parseLabArguments } from './lab-arguments'
import { CommandError } from './terminal.mjs'

const RECORDINGS = 'public/recordings'
const refusal = async (file: string): Promise<string> => {
  try {
    await analyzeFile(file)
  } catch (thrown) {
    if (thrown instanceof CommandError && thrown.exitCode === 2) return thrown.message
    throw thrown
  }
  throw new Error('it was read')
}

describe('lab analyze', () => {
  it('takes one file', () => {
    expect(parseLabArguments(['analyze', 'a.json', '--json'])).toEqual({
      command: 'analyze',
      file: 'a.json',
      json: true,
    })
    expect(() => parseLabArguments(['analyze'])).toThrow('Which file?')
    expect(() => parseLabArguments(['analyze', 'a', 'b'])).toThrow('One file at a time')
  })

  it('writes JSON with the keys that scripts rely on', async () => {
    const analysis = await analyzeFile(`${RECORDINGS}/torch-overlapped-uploads-pageable.json.gz`)
    const json = JSON.parse(analysisJson(analysis)) as {
      readonly format: string
      readonly skipped: readonly unknown[]
      readonly devices: readonly Readonly<Record<string, readonly unknown[]>>[]
    }
    expect(json.format).toBe('torch-profiler')
    expect(json.skipped).toEqual([])
    const [device] = json.devices
    expect(Object.keys(device ?? {})).toEqual(
      expect.arrayContaining([
        'id',
        'name',
        'lanes',
        'spans',
        'busyUs',
        'spanUs',
        'busyRatio',
        'gaps',
        'copies',
      ]),
    )
    expect(Object.keys(device?.['gaps']?.[0] ?? {})).toEqual(['beginUs', 'endUs', 'cause', 'evidence'])
    expect(device?.['copies']).toMatchObject([{ kind: 'HtoD pageable', count: 10, bytes: 671_088_640 }])
  })

  it('tells people the same, of imported files and of the lab’s own', async () => {
    const torch = analysisText(await analyzeFile(`${RECORDINGS}/torch-sync-stalls-stalled.json.gz`))
    expect(torch).toMatch(/host-waited +15 /)
    expect(torch).toContain('NVIDIA H200')
    expect(torch).toContain('critical path')
    expect(torch).toContain('Nothing was skipped.')
    const own = analysisText(await analyzeFile(`${RECORDINGS}/sync-stalls.hdl.gz`))
    expect(own).toContain('host-device-lab')
  })

  it('says what it skipped, and that there is no device', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'lab-')), 'trace.json')
    await writeFile(file, '[{"ph":"X","name":"a","ts":1,"dur":-1},{"ph":"X","name":"a","ts":1,"dur":1}]')
    const text = analysisText(await analyzeFile(file))
    expect(text).toContain('No lane of a device')
    expect(text).toContain('its duration is negative  first: event 0, byte 1')
  })

  it('refuses in one line what cannot be read', async () => {
    const missing = await refusal(join(tmpdir(), 'no-such-file'))
    expect(missing).toContain('no such file')
    const file = join(await mkdtemp(join(tmpdir(), 'lab-')), 'trace.json')
    await writeFile(file, 'not a trace\nat all')
    expect(await refusal(file)).toMatch(/^'.*' cannot be read\. This is neither/)
    expect(`${missing}${await refusal(file)}`).not.toContain('\n')
  })
})
