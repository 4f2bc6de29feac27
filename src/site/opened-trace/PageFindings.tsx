/** Of a recorded page: what its scripts do that costs time, each with its lines. */
import type { FoundFacts } from '../import-worker/protocol'
import { LessonLink } from '../ui/verdict/FindingRow'
import { Words } from '../ui/verdict/Words'

export const PageFindings = ({ found: { pageFindings, diagnoses } }: { readonly found: FoundFacts }) => {
  if (!pageFindings || pageFindings.length === 0) return null
  // The verdict has their evidence.
  const inVerdict = new Set(
    diagnoses.flatMap(({ findings, minor }) => [...findings, ...minor].map(({ sentence }) => sentence)),
  )
  return (
    <section className="stack-12" aria-labelledby="page-findings-title" data-testid="page-findings">
      <h2 id="page-findings-title">What the page’s scripts do</h2>
      <ol className="page-findings stack-16">
        {pageFindings.map(({ what, evidence, mend, lines, fault }) => (
          <li key={what} className="stack-4">
            <p>
              <Words text={what} />
            </p>
            {lines.map((line) => (
              <p key={line} className="small finding-source">
                <code>{line}</code>
              </p>
            ))}
            {!inVerdict.has(what) && (
              <>
                <p className="small">
                  <Words text={evidence} /> {mend}
                </p>
                {fault !== null && <LessonLink mends={fault} />}
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
