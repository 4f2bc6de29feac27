/** An assignment from the text of its link, wherever it lies: what it asks, checked as the page that it leads to would. */
import type { Fault } from '../../base/fault'
import { fail, type Result } from '../../base/result'
import { loadMeta } from '../../experiments/load-meta'
import { isLesson, loadLesson } from '../../lessons/load'
import { readAddress } from '../../state/url'
import { lessonNamed, type Assignment } from '../../teaching/assignment'
import { readFor } from './use-assignment'

const noLink: Fault = {
  code: 'parameter',
  message: 'This is no link of an assignment.',
  hint: 'It ends in assignment/#?lesson=… and is made on the page for teachers.',
}

/** Rejects where the lesson's files cannot be loaded. */
export async function loadAssignment(link: string): Promise<Result<Assignment>> {
  const [, own] = /(?:^|\/)(assignment\/?#.*)$/s.exec(link.trim()) ?? []
  const route = own === undefined ? null : readAddress(own)
  if (route?.page !== 'assignment') return fail(noLink)
  const id = lessonNamed(route.query)
  const lesson = id !== null && isLesson(id) ? await loadLesson(id) : null
  const meta = lesson?.kind === 'experiment' ? await loadMeta(lesson.experiment) : null
  return readFor(route.query, lesson, meta)
}
