/** The page's side: a worker that answers each place of the handles with what the model does there. */
import type { Values } from '../model/play/play'
import type { PlayAnswer, PlayRequest } from './play-worker'

export interface PlayClient {
  readonly ask: (values: Values) => void
  readonly close: () => void
}

export function openPlay(lesson: string, onAnswer: (answer: PlayAnswer) => void): PlayClient {
  const worker = new Worker(new URL('./play-worker.ts', import.meta.url), {
    type: 'module',
    name: 'lab play',
  })
  worker.addEventListener('message', ({ data }: MessageEvent<PlayAnswer>) => onAnswer(data))
  return {
    ask: (values) => {
      const request: PlayRequest = { lesson, values }
      worker.postMessage(request)
    },
    close: () => worker.terminate(),
  }
}
