/** How the lab measures and what it does not claim. */
import { method } from '../../../lessons/method'
import { Prose } from '../prose/Prose'
import { useTitle } from '../use-title'
import './method.css'

export const MethodPage = () => {
  useTitle('Method')
  return (
    <article className="page method">
      <header className="page-head stack-12">
        <h1>Method</h1>
        <p className="lead">How the lab measures, what its bounds mean, and what it does not claim.</p>
      </header>
      <div className="method-body stack">
        <nav aria-label="On this page" className="method-contents small no-print">
          <ol className="stack-8">
            {method.map(({ id, heading }) => (
              <li key={id}>
                {/* The hash is the route, so these move the focus instead of the address. */}
                <button
                  type="button"
                  className="link-button"
                  onClick={() => {
                    const section = document.getElementById(`method-${id}`)
                    section?.scrollIntoView()
                    section?.focus({ preventScroll: true })
                  }}
                >
                  {heading}
                </button>
              </li>
            ))}
          </ol>
        </nav>
        <div className="method-text stack">
          {method.map(({ id, heading, text }) => (
            <section key={id} className="stack-12" aria-labelledby={`method-${id}`}>
              <h2 id={`method-${id}`} tabIndex={-1}>
                {heading}
              </h2>
              <Prose text={text} />
            </section>
          ))}
        </div>
      </div>
    </article>
  )
}
