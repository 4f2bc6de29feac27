/**
 * A lesson in a frame: which of its screens there are, what is told to the page round it, and where
 * links lead.
 */
import { lessonRoute, type Route } from '../../state/url'

/** As lessonRoute() of site/state/url.ts. */
export const embedRoute = (...place: Parameters<typeof lessonRoute>): Route => ({
  ...lessonRoute(...place),
  page: 'embed',
})

/**
 * What the code of a frame asks for, CSS px: from 700 px of width on no question and no result is
 * higher.
 */
export const FRAME_HEIGHT = 940

/** The rest of a lesson (mend, why, instrument) is a page of its own. */
const SCREENS: readonly string[] = ['', 'predict', 'see', 'change']

/** The route within the frame; null where it leads out of it. */
export function withinFrame(route: Route, lesson: string): Route | null {
  const isHere = (route.page === 'lesson' || route.page === 'embed') && route.id === lesson
  return isHere && SCREENS.includes(route.screen)
    ? embedRoute(lesson, route.screen, route.step, route.query)
    : null
}

/**
 * What a frame tells the page that it stands in, by postMessage: that something was done, never
 * what was predicted, how long anything took or on which device. So it is told to whoever asked for
 * the frame.
 */
type FrameMessage =
  /** Of the content, CSS px, whenever it changes. */
  | { readonly type: 'hdl:height'; readonly height: number }
  /** The question was answered or openly skipped, and a run that counts has answered it. */
  | { readonly type: 'hdl:completed' }

/** The part of `window` that a frame speaks by; for tests. */
export interface Framed {
  readonly parent: { readonly postMessage: (message: unknown, targetOrigin: string) => void }
}

const MESSAGE_VERSION = 1

/** Tells nobody where there is no frame. */
export function tellParent(framed: Framed, lesson: string, message: FrameMessage): void {
  if ((framed.parent as unknown) === framed) return
  framed.parent.postMessage({ ...message, version: MESSAGE_VERSION, lesson }, '*')
}
