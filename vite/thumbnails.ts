/**
 * Small pictures of recordings: what is in each, for the key beside it, and for the painter that
 * makes files of them (src/site/ui/thumbnail-svg.ts).
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ProfilesLesson } from '../src/lessons/lesson'
import { endedState } from '../src/site/state/run-store'
import type { Excerpt } from '../src/strips/excerpt'
import { readDeviceStrip, wholeStrips } from '../src/strips/of-device'
import { excerptOf } from '../src/strips/of-run'
import { thumbnailScene, type Thumbnail } from '../src/strips/thumbnail'
import { decodeRun } from '../src/trace/codec'
import { findDays } from './find-days'
import { once } from './once'
import { RECORDINGS, recordingBytes } from './recordings'
import type { ReadLesson } from './words-md'

const isThere = (file: string): boolean => existsSync(join(RECORDINGS, file))

/** The excerpt of a lesson's own run; null where it has none, or none was recorded. */
export async function recordedExcerpt(lesson: ReadLesson): Promise<Excerpt | null> {
  const file = `${lesson.id}.hdl.gz`
  if (lesson.kind === 'profiles' || !isThere(file)) return null
  const decoded = await decodeRun(recordingBytes(file), { origin: 'recorded' })
  if (!decoded.ok) throw new Error(`${file}: ${decoded.error.message}`)
  return excerptOf(endedState('thumbnail', decoded.value), lesson.excerpt)
}

/** A row for the busiest device of each file. */
async function ofDevices(files: readonly string[]): Promise<Thumbnail | null> {
  const strips = await Promise.all(files.map((file) => readDeviceStrip(recordingBytes(file))))
  return thumbnailScene([wholeStrips(strips.flatMap((strip) => strip ?? []))], true)
}

const MOST_PROFILES = 3

/**
 * A row for each variant of a lesson's run, or for each of the first profiles that it reads; null
 * where nothing was recorded.
 */
export const thumbnailOf = (lesson: ReadLesson): Promise<Thumbnail | null> =>
  once(`thumbnail ${lesson.id}`, async () => {
    if (lesson.kind === 'profiles') {
      // Several ranks have several files.
      const files = lesson.profiles.map(({ recording }) => `${recording}.json.gz`).filter(isThere)
      return await ofDevices(files.slice(0, MOST_PROFILES))
    }
    const excerpt = await recordedExcerpt(lesson)
    return excerpt && thumbnailScene([excerpt])
  })

/** The files of the profile that a lesson shows, rank by rank. */
export function ranksOf({ shown }: Pick<ProfilesLesson, 'shown'>): readonly string[] {
  const files: string[] = []
  for (;;) {
    const file = `${shown.recording}-rank${String(files.length)}.json.gz`
    if (!isThere(file)) return files
    files.push(file)
  }
}

/** A row for each of them. */
export const ranksThumbnail = (lesson: Pick<ProfilesLesson, 'id' | 'shown'>): Promise<Thumbnail | null> =>
  once(`ranks ${lesson.id}`, () => ofDevices(ranksOf(lesson)))

/**
 * A row for each profile of 'Find the line', all as long as the picture is wide: they are different
 * programs.
 */
export async function findThumbnail(): Promise<Thumbnail | null> {
  const days = (await findDays()).findDays
  const strips = await Promise.all(
    days.map(({ files }) => readDeviceStrip(recordingBytes(`profiles/${files[0] ?? ''}`))),
  )
  return thumbnailScene(
    strips.flatMap((strip) => (strip ? [wholeStrips([strip])] : [])),
    true,
  )
}
