/**
 * Three hints, one after the other, from a question to the line; the lab's own mend, after a pass
 * or on request; the fix in PyTorch.
 */
import { Suspense, useState } from 'react'
import type { OpenExercise } from './store'
import type { Text } from '../../text/template'
import { Prose } from '../ui/prose/Prose'
import { CodeView } from '../ui/source/CodeView'
import { plain } from '../ui/source/lines'
import { useReference } from '../ui/source/Sources'
import { Button } from '../ui/Button'

export const Hints = ({ hints }: { readonly hints: readonly Text[] }) => {
  const [shown, setShown] = useState(0)
  return (
    <div className="hints start stack-8">
      {shown > 0 && (
        <ol>
          {hints.slice(0, shown).map((hint, index) => (
            <li key={index}>
              <Prose text={[hint]} />
            </li>
          ))}
        </ol>
      )}
      {shown < hints.length && (
        <Button
          look="small"
          className="no-print"
          label={shown === 0 ? 'Give me a hint' : `Another hint (${String(hints.length - shown)} left)`}
          onClick={() => setShown(shown + 1)}
        />
      )}
    </div>
  )
}

const ReferenceCode = ({ mend: { lesson, language, reference } }: { readonly mend: OpenExercise }) => {
  const lines = useReference(lesson, language, reference)
  return <CodeView title="The lab’s own fix, as it was run beside yours" lines={lines} />
}

export const Reference = ({ mend }: { readonly mend: OpenExercise }) => {
  return (
    <section className="stack-12" aria-labelledby="mend-reference" data-testid="reference">
      <h3 id="mend-reference">Why it works</h3>
      <Prose text={mend.words.why} />
      <div className="mend-reference-code stack">
        <Suspense fallback={null}>
          <ReferenceCode mend={mend} />
        </Suspense>
      </div>
    </section>
  )
}

/** The mended loop in PyTorch, folded below the choices. */
export const FixToCopy = ({ before, code, after }: OpenExercise['words']['pytorch']) => (
  <details className="fold panel shrinks">
    <summary>
      <h3>The fix in PyTorch, to copy</h3>
    </summary>
    <div className="stack-12">
      <Prose text={before} />
      <CodeView title="PyTorch" lines={plain(code)} />
      <Prose text={after} />
    </div>
  </details>
)
