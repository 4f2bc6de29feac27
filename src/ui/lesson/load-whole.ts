/** A lesson's words, and the experiment that it runs. */
import { loadMeta } from '../../experiments/load-meta'
import { isLesson, loadLesson } from '../../lessons/load'

/** Nothing where there is no such lesson. */
export async function loadWhole(id: string): Promise<void> {
  if (!isLesson(id)) return
  const words = await loadLesson(id)
  if (words.kind === 'experiment') await loadMeta(words.experiment)
}
