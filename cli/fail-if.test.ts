import { describe, expect, it } from 'vitest'
import { durationRangeText, durationText, percentText } from '../src/base/figures'
import { timesText } from '../src/analysis/finding-words'
import { summarise, summariseFile, summaryMarkdown } from '../src/analysis/summary/summary'
import { FAIL_NAMES, failures, parseFailIf } from './fail-if'
import { readOne } from './lab-analyze'
import { formatFigure } from './text-table'

const STALLED = (await readOne('public/recordings/torch-sync-stalls-stalled.json.gz')).analysis
const [DEVICE] = STALLED.devices
if (!DEVICE) throw new Error('the recording has no device')
const failed = (condition: string, file: Parameters<typeof failures>[1][number] = STALLED) =>
  failures([parseFailIf(condition)], [file])
const markdownOf = (file: string): string =>
  summaryMarkdown(summarise([summariseFile(file, STALLED.devices, STALLED.diagnoses)], null))

describe('--fail-if', () => {
  it('holds of a figure, of a cause that is there, and of one that is not', () => {
    expect(failed('busyRatio < 0.99')).toEqual([
      expect.stringContaining(
        `: 'busyRatio < 0.99' holds: busyRatio is ${formatFigure(DEVICE.busyRatio ?? Number.NaN)}`,
      ),
    ])
    expect(failed('busyRatio<.5')).toEqual([])
    expect(failed('read-back >= 0.05')).toHaveLength(1)
    expect(failed('data-loading > 0')).toEqual([])
    expect(failed('data-loading <= 0')).toHaveLength(1)
    // Without its read a step is 1.16 times as fast, and nothing else gains as much.
    expect(failed('gain > 1.1')).toHaveLength(1)
    expect(failed('gain > 1.2')).toEqual([])
    for (const name of FAIL_NAMES) expect(failed(`${name} >= 0`), name).toHaveLength(1)
  })
  it('fails where it cannot be determined: no device, no work, a run of the lab’s own', () => {
    expect(failed('busyRatio < 0', { ...STALLED, devices: [] })[0]).toContain('no device')
    const unknown = { ...STALLED, devices: [{ ...DEVICE, busyRatio: null, workRatio: null }] }
    for (const name of ['busyRatio', 'workRatio', 'idleRatio', 'read-back'])
      expect(failed(`${name} > 2`, unknown)[0], name).toContain('cannot be determined')
    const labRun = STALLED.diagnoses.map((each) => ({ ...each, verdict: 'lab-run' as const }))
    expect(failed('read-back > 2', { ...STALLED, diagnoses: labRun })[0]).toContain('cannot be determined')
  })
  it('refuses what is no condition, in one line', () => {
    for (const text of ['', 'busyRatio', 'busyRatio < x', 'busyRatio = 1', '< 1', 'busyRatio < 1 < 2'])
      expect(() => parseFailIf(text), text).toThrow('--fail-if wants')
    for (const name of ['bussyRatio', 'constructor', '__proto__'])
      expect(() => parseFailIf(`${name} < 1`), name).toThrow(name === '__proto__' ? '--fail-if' : 'knows no')
  })
})

describe('--markdown', () => {
  it('has busy, work, what TF32 is predicted to gain, and the causes with theirs', () => {
    const text = markdownOf(STALLED.file)
    const [finding] = STALLED.diagnoses[0]?.findings ?? []
    if (!finding) throw new Error('nothing was found in it')
    expect(text).toContain(`| device 0 | NVIDIA H200 | ${percentText(DEVICE.busyRatio ?? Number.NaN)} |`)
    const { stepUs, low, high } = finding.without ?? { stepUs: 0, low: 0, high: 0 }
    expect(text).toContain(
      `\n- **saves ${percentText(finding.share)} of a step** (predicted: ${durationText(1e3 * stepUs)}, ${durationRangeText(1e3 * low, 1e3 * high)}): Results are read back in the loop.`,
    )
    expect(text).toContain(timesText(STALLED.diagnoses[0]?.float32?.without?.gain ?? Number.NaN))
    expect(text).toContain('from the profile alone')
  })
  it('lets no name of a file become markup', () => {
    const text = markdownOf('<img src=x>|[a](b)`\n# c')
    expect(text.split('\n')[0]).toBe(String.raw`### \<img src=x\>\|\[a\](b)\` \# c`)
  })
})
