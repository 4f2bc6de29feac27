/** The editor on demand: CodeMirror is loaded when this is first drawn. The program stands there meanwhile. */
import { Suspense } from 'react'
import { lazyPage } from '../../ui/lazy-page'
import type { CodeEditorProps } from './code-editor-props'
import './editor.css'

const editor = lazyPage<CodeEditorProps>(async () => (await import('./CodeEditor')).CodeEditor)

/** As high as the editor will be, to a line that breaks elsewhere. */
const Waiting = ({ value, label }: CodeEditorProps) => (
  <div className="code-editor shrinks" aria-busy="true" data-testid="code-editor-waiting">
    <pre className="code-editor-waiting breaks wide" aria-label={label}>
      <code>
        {value.split('\n').map((line, at) => (
          <span key={at} className="code-editor-waiting-line">
            {line}
            {'\n'}
          </span>
        ))}
      </code>
    </pre>
  </div>
)

export const LazyCodeEditor = (props: CodeEditorProps) => (
  <Suspense fallback={<Waiting {...props} />}>
    <editor.Page {...props} />
  </Suspense>
)
