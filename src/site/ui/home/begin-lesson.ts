/** What a press on the home page's question does: the lesson, loaded by then or now, its run, and its page. */
import { metaOf } from '../../../experiments/catalog'
import { loadLesson } from '../../../lessons/load'
import type { Asked } from '../../../lessons/lesson'
import { inBackground } from '../../state/in-background'
import { FIRST_RUN } from '../../state/lesson-runs'
import { lessonRoute } from '../../state/url'
import type { AppContext } from '../lab-context'
import { isRecorded, playLesson, runLesson } from '../lesson/run-lesson'
import { screens } from '../lesson/screens'

/** Rejects where something of it could not be loaded. Nothing is run for a visitor who has left the home page by then. */
export async function beginLesson(
  resolvedLab: () => Promise<AppContext>,
  id: string,
  asked: Asked,
  plays: boolean,
): Promise<void> {
  const [lab, lesson] = await Promise.all([resolvedLab(), loadLesson(id), screens.see.load()])
  if (lesson.kind !== 'experiment') throw new Error(`The lesson '${id}' runs nothing.`)
  const work = { lesson, asked, meta: metaOf(lesson.experiment) }
  const { route } = lab
  if (route.store.getState().route.page !== 'home') return
  if (!plays) inBackground(runLesson(lab, work, FIRST_RUN, lesson.values))
  else if (isRecorded(lesson, FIRST_RUN)) await playLesson(lab, work, FIRST_RUN)
  route.go(lessonRoute(id, 'see'))
}
