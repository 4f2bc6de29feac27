/** A lesson's words, and the code of one screen. */
import { isLesson, loadLesson } from '../../../lessons/load'
import type { LazyPage } from '../lazy-page'

/** '' and an unknown name load nothing: the question is there, and where progress leads is known once the page is drawn. */
async function loadNamed(all: Readonly<Record<string, Pick<LazyPage<never>, 'load'>>>, screen: string) {
  if (Object.hasOwn(all, screen)) await all[screen]?.load()
}

/**
 * Nothing where there is no such lesson.
 * @param screen as the address has it: drawn at once, what stands below it does not jump
 */
export async function loadWhole(id: string, screen = ''): Promise<void> {
  if (!isLesson(id)) return
  const words = await loadLesson(id)
  if (words.kind === 'experiment') {
    await loadNamed((await import('./screens')).screens, screen)
  } else {
    const [{ profilesBody }, { profilesScreens }] = await Promise.all([
      import('./screens'),
      import('./profiles/screens'),
    ])
    await Promise.all([profilesBody.load(), loadNamed(profilesScreens, screen)])
  }
}
