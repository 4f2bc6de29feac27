/** Where the choices of a lesson come, once the reader is near; of a lesson without them nothing. */
import { Suspense, use } from 'react'
import { EMPTY_PROGRESS } from '../state/lesson-store'
import { useNear } from '../ui/use-near'
import { useLab } from '../ui/lab-context'
import { useStore } from '../ui/use-store'
import { RecordedChoices } from './RecordedChoices'
import { hasChoices, loadChoices } from './choices-of'

const NONE: readonly string[] = []

const Loaded = ({ lesson }: { readonly lesson: string }) => {
  const { lessons } = useLab()
  const { choices: tried = NONE } = useStore(lessons.store, (all) => all.lessons[lesson]) ?? EMPTY_PROGRESS
  return (
    <RecordedChoices
      {...use(loadChoices(lesson))}
      tried={tried}
      onTry={(recording) => lessons.keep(lesson, { choices: [...new Set([...tried, recording])] })}
    />
  )
}

const Near = ({ lesson }: { readonly lesson: string }) => {
  const [place, isNear] = useNear()
  return (
    <div ref={place} className="choices-place">
      {isNear && (
        <Suspense fallback={null}>
          <Loaded lesson={lesson} />
        </Suspense>
      )}
    </div>
  )
}

export const ChoicesPlace = ({ lesson }: { readonly lesson: string }) =>
  hasChoices(lesson) ? <Near lesson={lesson} /> : null
