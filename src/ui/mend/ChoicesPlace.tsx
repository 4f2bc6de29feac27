/** Where the choices of a lesson come, once the reader is near; of a lesson without them nothing. */
import { Suspense, use } from 'react'
import { useNear } from '../find/use-near'
import { RecordedChoices } from './RecordedChoices'
import { hasChoices, loadChoices } from './choices-of'

const Loaded = ({ lesson }: { readonly lesson: string }) => <RecordedChoices {...use(loadChoices(lesson))} />

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
