/**
 * What the lessons of profiles take for right is what the recorded profiles say, and where the
 * scripts that were run mark the fault.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { NAMED_SHARE } from '../../analysis/findings'
import { profilesLessons } from '../../lessons/testing/catalog'
import { NO_LINE } from '../../lessons/lesson'
import { importAcross } from '../import-worker/testing/import-across'
import { findRecording } from '../ui/import/recordings'
import {
  attributedTo,
  callKey,
  callsIn,
  evidenceWords,
  faultIn,
  figuresOf,
  type ReadProfile,
} from './profile-answer'
import { findMetric } from '../../trace/report'
import type { PlacedTrace } from '../../trace/place'

type Whole = ReadProfile & { readonly placed: PlacedTrace }

const bytesOf = (file: string) => readFileSync(`public/recordings/${file}`)

/** As the page reads it: by the import worker's own code. */
async function read(recording: string): Promise<Whole> {
  const files = findRecording(recording)?.files.map((name) => ({ name, blob: new Blob([bytesOf(name)]) }))
  const [only] = files ?? []
  if (!files || !only) throw new Error(`There is no recording ${recording}.`)
  const source = files.length > 1 ? { files } : only.blob
  const { reading } = await importAcross(source, { origin: 'recorded', gaps: 'of-devices' })
  if (!reading) throw new Error(`${recording} cannot be read.`)
  return { found: reading, ranks: reading.ranks, placed: reading.placed }
}

const scriptLines = (script: string) => readFileSync(`public/companion/${script}`, 'utf8').split('\n')
/** Of the run that was recorded: 'read_a_profile.py --fault read'. */
const commandOf = (file: string): string => {
  const { command } = JSON.parse(gunzipSync(bytesOf(file)).toString('utf8')) as { readonly command?: string }
  return command ?? ''
}

describe.each(profilesLessons.map((lesson) => [lesson.id, lesson] as const))('%s', (_, lesson) => {
  const profiles = new Map<string, Whole>()
  beforeAll(async () => {
    const all = [...lesson.profiles.map(({ recording }) => recording), lesson.shown.recording]
    for (const recording of new Set(all)) profiles.set(recording, await read(recording))
  }, 60_000)
  const whole = (recording: string): Whole => {
    const profile = profiles.get(recording)
    if (!profile) throw new Error(recording)
    return profile
  }

  it('has six profiles, of which one has no fault', () => {
    expect(lesson.profiles.length).toBe(6)
    expect(lesson.profiles.filter(({ recording }) => !faultIn(whole(recording)).finding).length).toBe(1)
  })

  it.each(lesson.profiles)('$recording: the analysis blames the line that the script marks', (profile) => {
    const { recording, script } = profile
    const [file = ''] = findRecording(recording)?.files ?? []
    const [, fault = ''] = /--fault ([\w-]+)/.exec(commandOf(file)) ?? []
    const marked = scriptLines(script).find((line) => line.endsWith(`# fault: ${fault}`))
    const { diagnosis, line } = faultIn(whole(recording))
    if (fault === 'none') {
      expect(marked).toBeUndefined()
      expect(diagnosis?.verdict).toBe('well-fed')
      return
    }
    const suspect = lesson.suspects[script]?.find(({ name }) => name === line?.name)
    expect(line?.file).toBe(script)
    expect(marked).toContain(suspect?.code)
    // The profile was recorded by this very script.
    expect(callsIn(whole(recording).placed).get(callKey(script, line?.name ?? ''))?.count).toBeGreaterThan(0)
  })

  it('has lines of its scripts to choose from, each in its function, and none', () => {
    const scripts = [...new Set(lesson.profiles.map(({ script }) => script))]
    expect(Object.keys(lesson.suspects).sort()).toEqual(scripts.sort())
    for (const script of scripts) {
      const suspects = lesson.suspects[script] ?? []
      expect(suspects.at(-1)).toMatchObject({ name: NO_LINE, code: '' })
      for (const { name, code } of suspects.slice(0, -1)) {
        const [, body = ''] = scriptLines(script).join('\n').split(`def ${name}(`)
        expect(body.split('\ndef ')[0]).toContain(code)
      }
    }
  })

  it.each(lesson.profiles)('$recording: costs most where it is at fault', ({ recording, script }) => {
    const profile = whole(recording)
    const found = (lesson.suspects[script] ?? [])
      .flatMap(({ name }) => attributedTo(profile, script, name).map((each) => ({ ...each, name })))
      .sort((a, b) => b.share - a.share)
    const { line } = faultIn(profile)
    if (line) expect(found[0]?.name).toBe(line.name)
    else for (const { share } of found) expect(share).toBeLessThan(NAMED_SHARE)
    expect(found[0]?.rank ?? null).toBe(profile.ranks?.lateRank ?? null)
    expect(attributedTo(profile, 'another.py', found[0]?.name ?? '')).toEqual([])
  })

  it('asks of a rank how much of its busy time is work, and gives that share', () => {
    const { recording, rank } = lesson.shown
    const figures = figuresOf(recording, whole(recording))
    const variant = `${recording}/${String(rank)}`
    const [, busy = ''] = /busy for ([\d.]+) %/.exec(lesson.prediction.question) ?? []
    expect(100 * (findMetric(figures, 'busy-ratio', variant)?.value ?? 0)).toBeCloseTo(Number(busy), 1)
    const work = (findMetric(figures, 'work-ratio', variant)?.value ?? 1) * lesson.prediction.scale
    // It can be wrong by a lot, and the slider does not stand near it at first.
    expect(Math.abs(work - lesson.prediction.start)).toBeGreaterThan(30)
  })
})

it('says how often a function ran and what is attributed to it', () => {
  const attributed = (share: number, rank: number | null = null) => ({ title: 'Many reads', share, rank })
  expect(evidenceWords(undefined, [])).toBe('This profile never calls it, so it cost nothing.')
  expect(evidenceWords({ count: 1, ns: 2e6 }, [])).toBe(
    'In this profile it ran 1 time, for 2 ms on the host. It cost the GPU no time.',
  )
  expect(evidenceWords({ count: 4, ns: 4e3 }, [attributed(0.0355)])).toBe(
    'In this profile it ran 4 times, for 1 µs on the host on average. It cost 3.55 % of the GPU’s time (many reads).',
  )
  expect(evidenceWords({ count: 4, ns: 4e3 }, [attributed(0.5, 1)])).toContain('rank 1’s time')
})
