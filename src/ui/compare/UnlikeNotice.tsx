/** What the two runs do not have in common, said before any difference is read off. */
import type { Unlike } from '../../state/comparison'

const List = ({ entries }: { readonly entries: readonly Unlike[] }) => (
  <dl className="unlike">
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

export const UnlikeNotice = ({ unlike }: { readonly unlike: readonly Unlike[] }) => {
  const loud = unlike.filter(({ weight }) => weight === 'adapter' || weight === 'settings')
  const rest = unlike.filter((entry) => !loud.includes(entry))
  const adapters = loud.some(({ weight }) => weight === 'adapter')
  const settings = loud.some(({ weight }) => weight === 'settings')
  return (
    <>
      {loud.length > 0 && (
        <div className="notice notice-warn" role="note" data-testid="unlike">
          <h2>
            {adapters && settings
              ? 'Different adapters, and different settings'
              : adapters
                ? 'Different adapters'
                : 'Different settings'}
          </h2>
          <p>
            A difference below may come from {adapters && settings ? 'any of these' : 'this'}, and not from
            what you meant to compare.
          </p>
          <List entries={loud} />
        </div>
      )}
      {rest.length > 0 && (
        <details className="small">
          <summary>What else differs between the two</summary>
          <List entries={rest} />
        </details>
      )}
    </>
  )
}
