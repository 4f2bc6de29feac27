import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { parseAnalyze } from './analyze-arguments'
import { analysisText, readOne } from './lab-analyze'
import { analyze } from './lab-analyze-ranks'
import { Budget, LIMITS } from '../src/trace/budget'
import { CommandError, inert } from './terminal.mjs'
import { firstRows, textTable } from './text-table'

const RECORDINGS = 'public/recordings'
const analyzeFile = async (file: string) => (await readOne(file)).analysis
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
  it('reads no more of a file without an end than may be opened, and says so', async () => {
    const budget = new Budget()
    budget.spend('bytes', LIMITS.bytes.most - 2 ** 20)
    await expect(readOne('/dev/zero', null, budget)).rejects.toThrow(
      /^'\/dev\/zero' cannot be read\. The file is too large: more than 1,048,576 bytes/,
    )
  })

  it('prints tables of any length, and of long ones the beginning', async () => {
    const rows = Array.from({ length: 300_000 }, (_, at) => ['note', String(at)])
    expect(textTable(rows).split('\n')).toHaveLength(300_000)
    const first = textTable(firstRows(rows)).split('\n')
    expect(first).toHaveLength(101)
    expect(first.at(-1)).toContain('and 299900 more')
    const analysis = await analyzeFile(`${RECORDINGS}/torch-sync-stalls-stalled.json.gz`)
    const copies = analysis.devices[0]?.copies[0]
    if (!copies) throw new Error('the recording has no copies')
    const many = { ...analysis, notes: rows.map(([, note = '']) => note) }
    const devices = analysis.devices.map((each) => ({
      ...each,
      copies: Array.from({ length: 200_000 }, (_, at) => ({ ...copies, kind: `kind ${String(at)}` })),
    }))
    expect(analysisText({ ...many, devices }).split('\n').length).toBeLessThan(1000)
  })

  it('ends in peace where nobody reads on', async () => {
    const script = `import { runCommand } from './cli/terminal.mjs'
      await runCommand(async () => { for (let at = 0; at < 1e5; at += 1) console.log('line', at); return 0 })`
    const child = spawn('sh', ['-c', `"${process.execPath}" --input-type=module -e "$SCRIPT" | head -1`], {
      env: { ...process.env, SCRIPT: script },
    })
    let said = ''
    child.stderr.on('data', (data: Buffer) => (said += data.toString()))
    await once(child, 'close')
    expect(said).not.toContain('EPIPE')
  })

  it('says what is wrong with a file without obeying its words', () =>
    expect(inert('‘\u001b]52;c;x\u0007’\nnext')).toBe('‘\\u001b]52;c;x\\u0007’\nnext'))

  it('reads standard input, through a pipe too', async () => {
    const file = `${RECORDINGS}/torch-sync-stalls-stalled.json.gz`
    const lab = `"${process.execPath}" cli/lab.mjs analyze`
    const [piped, named] = await Promise.all(
      [`cat ${file} | ${lab} - --json`, `${lab} ${file} --json`].map((line) =>
        promisify(execFile)('sh', ['-c', line], { maxBuffer: 2 ** 28 }),
      ),
    )
    expect(piped?.stdout).toBe(named?.stdout.replace(`"file": "${file}"`, '"file": "-"'))
    expect(() => parseAnalyze(['-', '-'])).toThrow(CommandError)
  }, 60_000)

  it('takes one file or several', () => {
    expect(parseAnalyze(['a.json', '--json'])).toEqual({
      files: ['a.json'],
      as: 'json',
      failIf: [],
      picture: null,
      before: null,
      without: null,
      stepMs: null,
      table: null,
    })
    expect(parseAnalyze(['a', 'b'])).toMatchObject({ files: ['a', 'b'], as: 'text' })
    expect(() => parseAnalyze(['a', '--json', '--markdown'])).toThrow('Either')
    expect(() => parseAnalyze([])).toThrow('Which file?')
    expect(() => parseAnalyze(['a', ''])).toThrow('Which file?')
    expect(() => parseAnalyze(['a', '--before', 'b'])).toThrow('belongs to --table')
  })

  it.each(['text', 'json', 'markdown'] as const)(
    'prints nothing that a terminal would obey (%s)',
    async (as) => {
      const marks = '\u001b]52;c;ZXZpbA==\u0007 \u001b[8m \u009b31m \u202e \u007f'
      const name = `kernel ${marks}\nlate: rank 1`
      const event = (ts: number) => ({
        ph: 'X',
        cat: 'kernel',
        name,
        pid: name,
        tid: 7,
        ts,
        dur: 5,
        args: { device: 0, stream: 7 },
      })
      const file = join(await mkdtemp(join(tmpdir(), 'analyze-')), 'names.json')
      await writeFile(file, JSON.stringify({ schemaVersion: 1, traceEvents: [event(0), event(100)] }))
      const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined)
      try {
        await analyze(parseAnalyze([file, ...(as === 'text' ? [] : [`--${as}`])]))
        const text = printed.mock.calls.join('\n')
        expect(text).toContain('\\u001b')
        expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]|^late: rank 1/mu)
      } finally {
        printed.mockRestore()
      }
    },
  )

  it('tells people the same, of imported files and of the lab’s own', async () => {
    const torch = analysisText(await analyzeFile(`${RECORDINGS}/torch-sync-stalls-stalled.json.gz`))
    expect(torch).toContain('The host reads results back')
    expect(torch).toMatch(/read-back +15 /)
    expect(torch).toContain('NVIDIA H200')
    expect(torch).toContain('critical path')
    expect(torch).toContain('Nothing was skipped.')
    const own = analysisText(await analyzeFile(`${RECORDINGS}/sync-stalls.hdl.gz`))
    expect(own).toContain('host-device-lab')
  })

  it('tells work from time in collectives', async () => {
    const analysis = await analyzeFile(`${RECORDINGS}/torch-nccl-rank0.json.gz`)
    const text = analysisText(analysis)
    expect(text).toMatch(/busy 18\.\d ms of 18\.\d ms: 99\.\d+ %/)
    expect(text).toMatch(/work, without collectives and copies, 10\.\d ms: 5\d\.\d+ %/)
    expect(text).toMatch(/allreduce +4 +512 MiB/)
  })

  it('says what it skipped, and that there is no device', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'lab-')), 'trace.json')
    await writeFile(file, '[{"ph":"X","name":"a","ts":1,"dur":-1},{"ph":"X","name":"a","ts":1,"dur":1}]')
    const text = analysisText(await analyzeFile(file))
    expect(text).toContain('Nothing in the file is marked as GPU work.')
    expect(text).toContain('its duration is negative  first: event 0, byte 1')
  })

  it('says why a GPU of which calls are recorded has no work', async () => {
    const launch =
      '{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":1,"dur":1,"args":{"correlation":1}}'
    const textOf = async (events: string) => {
      const file = join(await mkdtemp(join(tmpdir(), 'lab-')), 'trace.json')
      await writeFile(file, `{"schemaVersion":1,"traceEvents":[${events}`)
      return analysisText(await analyzeFile(file))
    }
    expect(await textOf(`${launch}]}`)).toContain(
      '1 of 1 launch (100 %) has no record. The calls were recorded',
    )
    const event = (cat: string, name: string) =>
      `{"ph":"X","cat":"${cat}","name":"${name}","pid":1,"tid":1,"ts":1,"dur":1}`
    for (const [more, why] of [
      [event('cuda_profiler_range', 'gemm'), 'hardware counters (profiler_metrics)'],
      [event('cpu_op', 'aten::_mps_convolution'), 'on MPS'],
    ] as const) {
      const text = await textOf(`${launch},${more}]}`)
      expect(text).toContain(why)
      expect(text).toMatch(/The file records no GPU work\. For/)
      expect(text).not.toContain('Close any other profiler')
    }
    expect(await textOf(`${launch},{"ph":"X"`)).toContain(
      'cut short, and what is left of it records no GPU work',
    )
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

describe('lab analyze --picture', () => {
  const PROFILE = `${RECORDINGS}/torch-sync-stalls-item.json.gz`
  const pictureFile = async (name: string) => join(await mkdtemp(join(tmpdir(), 'picture-')), name)
  /** Writes a picture as the package does: lab-alone.ts. */
  const written = async (name: string) => {
    const file = await pictureFile(name)
    const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined)
    try {
      await analyze(parseAnalyze([PROFILE, '--markdown', '--picture', file]))
      return { bytes: await readFile(file), printed: String(printed.mock.calls[0]?.[0]) }
    } finally {
      printed.mockRestore()
    }
  }

  it('paints what the Markdown says', async () => {
    const { bytes, printed } = await written('a.svg')
    const [busy] = /\d[\d.]* %/.exec(printed) ?? ['none']
    const words = (bytes.toString().match(/(?<=>)[^<]+(?=<\/text>)/g) ?? []).join(' ')
    expect(words).toContain(busy)
    expect(words).toContain('Without reading results back')
    expect(words).toContain('predictions from the profile alone')
  })

  it('is a PNG in a clone, twice as wide as it is shown', async () => {
    const file = await pictureFile('a.png')
    await promisify(execFile)(process.execPath, ['cli/lab.mjs', 'analyze', PROFILE, '--picture', file])
    const bytes = await readFile(file)
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(bytes.readUInt32BE(16)).toBe(2400)
  })

  it('says in a line what is missing, before anything is printed', async () => {
    await expect(written('a.png')).rejects.toMatchObject({
      message: 'This package writes no PNG: say --picture FILE.svg.',
      exitCode: 2,
    })
    await expect(written('none/a.svg')).rejects.toMatchObject({ exitCode: 2 })
    expect(() => parseAnalyze(['a', '--picture', 'a.jpg'])).toThrow('.png or .svg')
  })
})
