/** What the README's picture quotes of the site, kept beside it, so that a test can tell whether the picture is of the present one. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeRun } from '../src/trace/codec'
import { findMetric } from '../src/trace/report'
import { readLessons } from '../vite/words-md'
import { CommandError, ROOT } from './terminal.mjs'

/** The lesson whose result is pictured. */
export const PICTURED = 'sync-stalls'
export const PICTURE = join(ROOT, '.github', 'screenshot.png')
export const QUOTES = join(ROOT, '.github', 'screenshot.json')

export interface PictureQuotes {
  /** 'Lesson 1 of 14'. */
  readonly lessons: number
  readonly question: string
  readonly device: string
  /** ISO. */
  readonly recordedAt: string
  /** Of the time, the device computed. */
  readonly computedPercent: number
}

/** @throws where the lesson has no recording */
export async function quotedInPicture(): Promise<PictureQuotes> {
  const lessons = await readLessons()
  const lesson = lessons.find(({ id }) => id === PICTURED)
  const decoded = await decodeRun(await readFile(join(ROOT, 'public', 'recordings', `${PICTURED}.hdl.gz`)))
  const report = decoded.ok ? decoded.value.report : null
  const busy = report && findMetric(report.metrics, 'device-busy-ratio', 'every-step')?.value
  if (!lesson || !report || busy == null) throw new CommandError(`'${PICTURED}' has no recording.`)
  return {
    lessons: lessons.length,
    question: lesson.question,
    device: report.environment.adapterName,
    recordedAt: report.startedAt,
    computedPercent: Math.round(100 * busy),
  }
}
