/** What the lessons of profiles take for right is what the recorded profiles say, and where the scripts that were run mark the fault. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { NAMED_SHARE } from '../../analysis/findings'
import { profilesLessons } from '../../lessons/testing/catalog'
import { functionAt, functionsOf, MODULE, NOWHERE } from '../../lessons/script'
import { readTrace } from '../import-worker/read-trace'
import type { FoundFacts, PackedOpened } from '../import-worker/protocol'
import { createYielder } from '../../base/yield-to-main'
import { unpackOpened } from '../import-worker/packed-opened'
import { findRecording } from '../ui/import/recordings'
import { attributedTo, callKey, callsIn, faultIn, figuresOf, type ReadProfile } from './profile-answer'
import { findMetric } from '../../trace/report'
import type { PlacedTrace } from '../../trace/place'

type Whole = ReadProfile & { readonly placed: PlacedTrace }

const bytesOf = (file: string) => readFileSync(`public/recordings/${file}`)

/** As the page reads it: by the import worker's own code. */
async function read(recording: string): Promise<Whole> {
  const files = findRecording(recording)?.files.map((name) => ({ name, blob: new Blob([bytesOf(name)]) }))
  const [only] = files ?? []
  if (!files || !only) throw new Error(`There is no recording ${recording}.`)
  const got: { opened?: PackedOpened; found?: FoundFacts } = {}
  const source = files.length > 1 ? { files } : new Uint8Array(await only.blob.arrayBuffer())
  const done = await readTrace(
    source,
    { origin: 'recorded', gaps: 'of-devices' },
    {
      onProgress: () => undefined,
      onOpened: (packed) => (got.opened = packed),
      onGaps: () => undefined,
      onEvidences: () => undefined,
      onFound: (facts) => (got.found = facts),
    },
  )
  const { opened, found } = got
  if (!done.ok || !opened || !found) throw new Error(`${recording} cannot be read.`)
  const { placed, ranks } = await unpackOpened(opened, createYielder())
  return { found, ranks, placed }
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
  })
  const whole = (recording: string): Whole => {
    const profile = profiles.get(recording)
    if (!profile) throw new Error(recording)
    return profile
  }

  it('has six profiles, of which one has no fault', () => {
    expect(lesson.profiles.length).toBe(6)
    expect(lesson.profiles.filter(({ recording }) => faultIn(whole(recording)).at === 'nowhere').length).toBe(
      1,
    )
  })

  it.each(lesson.profiles)(
    '$recording: the analysis names the function that the script marks',
    ({ recording, script }) => {
      const [file = ''] = findRecording(recording)?.files ?? []
      const [, fault = ''] = /--fault ([\w-]+)/.exec(commandOf(file)) ?? []
      const lines = scriptLines(script)
      const marked = lines.findIndex((line) => line.endsWith(`# fault: ${fault}`)) + 1
      const answer = faultIn(whole(recording))
      if (fault === 'none') {
        expect(marked).toBe(0)
        expect(answer.at).toBe('nowhere')
        return
      }
      expect(marked).toBeGreaterThan(0)
      if (answer.at !== 'function') throw new Error(`the analysis says ${answer.at}`)
      const place = functionAt(functionsOf(lines), marked)
      expect(answer.source).toMatchObject({ file: script, line: place?.begin })
      expect(place?.name.split('.').at(-1)).toBe(answer.source.name)
      // The profile was recorded by this very script.
      expect(callsIn(whole(recording).placed).get(callKey(script, place?.begin ?? 0))?.count).toBeGreaterThan(
        0,
      )
    },
  )

  it('answers a click on any function of its scripts, on a line outside, and on none', () => {
    const scripts = [...new Set(lesson.profiles.map(({ script }) => script))]
    expect(Object.keys(lesson.places).sort()).toEqual(scripts.sort())
    for (const script of scripts) {
      const names = functionsOf(scriptLines(script)).map(({ name }) => name)
      expect(Object.keys(lesson.places[script] ?? {}).sort()).toEqual([...names, MODULE, NOWHERE].sort())
    }
  })

  it.each(lesson.profiles)(
    '$recording: attributes most to the function at fault, of ranks to that rank',
    ({ recording, script }) => {
      const profile = whole(recording)
      const found = functionsOf(scriptLines(script))
        .flatMap(({ begin }) => attributedTo(profile, script, begin).map((each) => ({ ...each, begin })))
        .sort((a, b) => b.share - a.share)
      const answer = faultIn(profile)
      if (answer.at === 'function') expect(found[0]?.begin).toBe(answer.source.line)
      else for (const { share } of found) expect(share).toBeLessThan(NAMED_SHARE)
      expect(found[0]?.rank ?? null).toBe(profile.ranks?.lateRank ?? null)
      expect(attributedTo(profile, 'another.py', found[0]?.begin ?? 0)).toEqual([])
    },
  )

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
