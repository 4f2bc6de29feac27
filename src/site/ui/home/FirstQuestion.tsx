/**
 * The first lesson's prediction on the first page, with the words that this takes and no others
 * (vite/site-data.ts). What runs it is loaded when the page has been drawn, or by the press.
 */
import { lazy, Suspense, useState } from 'react'
import { firstQuestion, recordedOn } from 'virtual:first-question'
import { type Prediction } from '../../state/lesson-store'
import { useLazyLab, useShell, useProgress } from '../lab-context'
import { PredictForm, runsOn, askedOf, progressOf } from '../lesson/PredictForm'
import { useStore } from 'zustand'
import '../run/run.css'
import '../lesson/lesson.css'

const FaultNotice = lazy(async () => ({ default: (await import('../FaultNotice')).FaultNotice }))

type Pressed = { readonly phase: 'no' | 'loading' } | { readonly phase: 'failed'; readonly message: string }

const Ask = ({ words }: { readonly words: NonNullable<typeof firstQuestion> }) => {
  const { device, lessons, view } = useShell()
  const { load } = useLazyLab()
  const { phase, device: known, fault } = useStore(device.store)
  const saved = useProgress(words.id)
  const [pressed, setPressed] = useState<Pressed>({ phase: 'no' })
  const asked = askedOf(words.prediction, known)
  const recordedOnly = phase === 'unavailable'
  const runsOnSoftware = useStore(view.store, (state) => state.runsOnSoftware)
  const isSoftware = known?.isSoftware === true && !runsOnSoftware
  const predict = (prediction: Prediction) => {
    lessons.predict(words.id, prediction)
    setPressed({ phase: 'loading' })
    import('../lesson/screens')
      .then(({ beginLesson }) => beginLesson(load, words.id, asked, recordedOnly || isSoftware))
      .catch((thrown: unknown) =>
        setPressed({ phase: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) }),
      )
  }
  return (
    <PredictForm
      asked={asked}
      ask={words.ask}
      intro={words.intro}
      picture={recordedOn !== null && <Replay device={recordedOn} />}
      stored={progressOf(saved, asked).prediction}
      {...runsOn(recordedOnly ? 'no-gpu' : isSoftware ? 'software' : null)}
      isBlocked={pressed.phase === 'loading'}
      onPredict={predict}
    >
      {pressed.phase === 'loading' && (
        <p className="small quiet" role="status">
          Loading the lesson.
        </p>
      )}
      {pressed.phase === 'failed' && (
        <p className="notice notice-warn" role="alert">
          The lesson could not be loaded: {pressed.message} Check the connection and press again.
        </p>
      )}
      {recordedOnly && fault && (
        <Suspense fallback={null}>
          <FaultNotice fault={fault} />
        </Suspense>
      )}
    </PredictForm>
  )
}

/**
 * Three lanes, drawn once from left to right (thumbnail-svg.ts): of the loop that reads nothing, so
 * that it gives no answer away.
 */
const Replay = ({ device }: { readonly device: string }) => (
  <figure className="home-replay stack-6">
    <div>
      <ul aria-hidden="true">
        <li>host</li>
        <li>queue</li>
        <li>device</li>
      </ul>
      <img src="./thumbnails/replay.svg" width={560} height={64} alt="Host, queue and device of a loop." />
    </div>
    <figcaption className="small quiet">
      The loop without a read, recorded on {device} and slowed down. What changes when it reads?
    </figcaption>
  </figure>
)

export const FirstQuestion = () => firstQuestion && <Ask words={firstQuestion} />
