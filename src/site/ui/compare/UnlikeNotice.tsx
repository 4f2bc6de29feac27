/** What the two runs do not have in common: loudly, before any difference is read off, or below all of it. */
import type { Unlike } from '../../state/comparison'
import { setApart } from './compare-words'

const List = ({ entries }: { readonly entries: readonly Unlike[] }) => (
  <dl className="unlike stack-4">
    {entries.map(({ what, a, b }) => (
      <div key={what}>
        <dt>{what}</dt>
        <dd>
          A: {a} · B: {b}
        </dd>
      </div>
    ))}
  </dl>
)

interface UnlikeProps {
  readonly unlike: readonly Unlike[]
}

/** One setting alone is what is compared: the sentence above has it. */
export const UnlikeNotice = ({
  unlike,
  isSameVariant,
}: UnlikeProps & { readonly isSameVariant: boolean }) => {
  const loud = setApart(unlike)
  const adapters = loud.some(({ weight }) => weight === 'adapter')
  const settings = loud.some(({ weight }) => weight === 'settings')
  const isMeant = loud.length === 1 && isSameVariant && loud[0]?.weight === 'settings'
  if (loud.length === 0 || (isMeant && loud[0]?.what !== 'experiment')) return null
  return (
    <div className="notice notice-warn" role="note" data-testid="unlike">
      <h2>
        {adapters && settings
          ? 'Different adapters, and different settings'
          : adapters
            ? 'Different adapters'
            : 'Different settings'}
      </h2>
      <p>
        A difference below may come from {loud.length > 1 ? 'any of these' : 'this'}, and not from what you
        meant to compare.
      </p>
      <List entries={loud} />
    </div>
  )
}

export const OtherwiseUnlike = ({ unlike }: UnlikeProps) => {
  const loud = setApart(unlike)
  const rest = unlike.filter((entry) => !loud.includes(entry))
  return rest.length === 0 ? null : (
    <details className="small">
      <summary>What else differs between the two</summary>
      <List entries={rest} />
    </details>
  )
}
