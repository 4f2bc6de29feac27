/** How the lab measures and what it does not claim. */
import { method } from '../../lessons/method'
import { Prose } from '../prose/Prose'
import { useTitle } from '../use-title'
import './method.css'

export const MethodPage = () => {
  useTitle('Method')
  return (
    <article className="page page-narrow method">
      <header className="page-head">
        <h1>Method</h1>
        <p className="lead">How the lab measures, what its bounds mean, and what it does not claim.</p>
      </header>
      {method.map(({ id, heading, text }) => (
        <section key={id} aria-labelledby={`method-${id}`}>
          <h2 id={`method-${id}`}>{heading}</h2>
          <Prose text={text} />
        </section>
      ))}
    </article>
  )
}
