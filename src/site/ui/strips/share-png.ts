/** The picture of a result, as the page offers it: drawn when it is asked for. */
import type { Excerpt } from '../../../strips/excerpt'
import type { ShareWords } from '../../../strips/share-image'
import { addressOf, lessonRoute } from '../../state/url'

export type { ShareWords }

/** Address of a lesson, without the parts that browsers leave out. */
export const shareAddress = (lesson: string): string =>
  new URL(addressOf(lessonRoute(lesson)), document.baseURI).href.replace(/^https?:\/\//, '')

export async function sharePng(words: ShareWords, excerpt: Excerpt | null): Promise<Blob> {
  const [{ picturePng }, { shareImage }, { LINK_SIZE }] = await Promise.all([
    import('../picture-png'),
    import('../../../strips/share-image'),
    import('../../../strips/sheet'),
  ])
  return await picturePng((widthOf) => ({ ...LINK_SIZE, marks: shareImage(words, excerpt, widthOf) }), 1)
}
