/** Below the lab's own program: two more right programs to read, loaded when they are opened. */
import { useCallback, useState } from 'react'
import type { Way } from '../../exercises/words'
import type { OpenExercise } from './store'
import { FaultNotice } from '../ui/FaultNotice'
import { formatNumber } from '../ui/format'
import { useLab } from '../ui/lab-context'
import { useLoaded } from '../ui/use-loaded'
import { CodeView } from '../ui/source/CodeView'

const lines = (count: number): string => `${formatNumber(count)} ${count === 1 ? 'line' : 'lines'}`

/** '9 lines are its own, and 4 lines of the lab’s are gone.' */
function linesWords({ added, gone }: Pick<Way, 'added' | 'gone'>): string {
  const own = `${lines(added)} ${added === 1 ? 'is' : 'are'} its own`
  const left = `${lines(gone)} of the lab’s own ${gone === 1 ? 'is' : 'are'} gone`
  return `${[...(added > 0 ? [own] : []), ...(gone > 0 ? [left] : [])].join(', and ')}.`
}

const Opened = ({ lesson }: Pick<OpenExercise, 'lesson'>) => {
  const { load } = useLab().exerciseParts
  const { value: ways, fault } = useLoaded(
    useCallback(async () => await (await load()).waysOf(lesson), [load, lesson]),
  )
  if (fault) return <FaultNotice fault={fault} />
  return (
    <div className="mend-ways-code stack">
      {ways?.map((way) => (
        <section key={way.name} className="shrinks stack-8" aria-label={way.name}>
          <h4>{way.name}</h4>
          <p>{way.why}</p>
          <p className="small quiet">{linesWords(way)}</p>
          <CodeView title={way.name} lines={way.lines} />
        </section>
      ))}
    </div>
  )
}

export const OtherWays = ({ mend: { lesson, ways } }: { readonly mend: OpenExercise }) => {
  const [isOpen, setIsOpen] = useState(false)
  if (ways.length === 0) return null
  return (
    <details
      className="mend-ways no-print"
      data-testid="other-ways"
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>
        Other ways: {ways.map((name) => name.charAt(0).toLowerCase() + name.slice(1)).join(', ')}
      </summary>
      {isOpen && <Opened lesson={lesson} />}
    </details>
  )
}
