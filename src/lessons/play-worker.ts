/**
 * One picture after the other: of what was asked while one was made, only the newest is answered.
 */
import { workerScope } from '../base/workers'
import type { Seen, Values } from '../model/play/play'
import { playOf } from './plays'
import { runPlay } from '../model/play/run-play'

export interface PlayRequest {
  readonly lesson: string
  readonly values: Values
}
export interface PlayAnswer {
  readonly values: Values
  readonly seen: Seen
}

const scope = workerScope<PlayRequest, PlayAnswer>()
let wanted: PlayRequest | null = null
let isRunning = false

async function answer(): Promise<void> {
  if (isRunning) return
  isRunning = true
  try {
    for (let request = wanted; request; request = wanted) {
      wanted = null
      const play = playOf(request.lesson)
      const { values } = request
      if (play) scope.postMessage({ values, seen: await runPlay(play, values) })
    }
  } finally {
    isRunning = false
  }
}

scope.addEventListener('message', ({ data }) => {
  wanted = data
  answer().catch((bug: unknown) => reportError(bug))
})
