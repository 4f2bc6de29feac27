/** A lesson in a frame: which of its screens there are, what is told to the page round it, and where links lead. */
import { lessonRoute, type Route } from '../../state/url'

/** As lessonRoute() of site/state/url.ts. */
export const embedRoute = (...place: Parameters<typeof lessonRoute>): Route => ({
  ...lessonRoute(...place),
  page: 'embed',
})

/** What the code of a frame asks for, CSS px: from 700 px of width on no part of a screen is higher. */
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
 * What a frame tells the page that it stands in, by postMessage: that something was done, never what was predicted, how long anything took or
 * on which device. So it is told to whoever asked for the frame.
 */
export type FrameMessage =
  /** Of the content, CSS px, whenever it changes. */
  | { readonly type: 'hdl:height'; readonly height: number }
  /** A prediction was made, or openly skipped. */
  | { readonly type: 'hdl:predicted'; readonly skipped: boolean }
  /** A run has ended. `step` is '' for the lesson's own. `counts`: it is valid; a recording that was played is none of this machine. */
  | {
      readonly type: 'hdl:measured'
      readonly step: string
      readonly outcome: string
      readonly counts: boolean
      readonly recorded: boolean
    }
  /** Predicted (or skipped) and measured in this frame; once. */
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

/** What a frame has told so far, so that it says once that it is complete. */
export interface Told {
  predicted: boolean
  measured: boolean
  completed: boolean
}

/** The messages that an event makes: itself, and that all is done. */
export function messagesOf(told: Told, message: FrameMessage): readonly FrameMessage[] {
  if (message.type === 'hdl:predicted') told.predicted = true
  if (message.type === 'hdl:measured') told.measured ||= message.counts
  if (told.completed || !told.predicted || !told.measured) return [message]
  told.completed = true
  return [message, { type: 'hdl:completed' }]
}
