/** All experiments, for those who want the instrument without the lesson. */
import { experiments } from '../../experiments/metas'
import { addressOf } from '../../state/url'
import { useTitle } from '../use-title'
import './run.css'

export const RunListPage = () => {
  useTitle('Experiments')
  return (
    <div className="page page-narrow">
      <header className="page-head">
        <h1>Experiments</h1>
        <p className="lead">
          The bench behind the lessons: every parameter, every figure with its interval, and the trace as a
          file that Perfetto opens.
        </p>
      </header>
      <ul className="experiment-list">
        {experiments.map(({ id, title, question, metrics }) => (
          <li key={id}>
            <h2>
              <a href={addressOf({ page: 'run', id, query: {} })}>{title}</a>
            </h2>
            <p>{question}</p>
            <p className="small quiet">
              Measures:{' '}
              {metrics
                .slice(0, 5)
                .map(({ label }) => label.toLowerCase())
                .join(', ')}
              {metrics.length > 5 ? ' and more' : ''}.
            </p>
          </li>
        ))}
      </ul>
      <section className="bench-cli">
        <h2>From the command line</h2>
        <p>The same experiments run without a window and write report, trace and picture to a folder:</p>
        <pre className="code code-plain">
          <code>npm run lab -- run {experiments[0]?.id} --set steps=64 --out out</code>
        </pre>
      </section>
    </div>
  )
}
