/** What the program is given and can call, a line each. */
import type { Names, Scope } from '../../exercises/names'
import { Inline } from '../ui/prose/Inline'

/** Members that several names share are listed once. */
const Members = ({ names, listed }: { readonly names: Names; readonly listed: Set<Names> }) => {
  listed.add(names)
  return (
    <ul className="stack-4">
      {Object.entries(names).map(([key, { says, takes = '', has }]) => (
        <li key={key}>
          <code>{key + takes}</code> <Inline text={says} />
          {has && !listed.has(has) && <Members {...{ names: has, listed }} />}
        </li>
      ))}
    </ul>
  )
}

export const NameList = ({ scope: { given, globals } }: { readonly scope: Scope }) => (
  <details className="mend-names small">
    <summary>What the program can use</summary>
    <Members names={{ ...given, ...globals }} listed={new Set()} />
  </details>
)
