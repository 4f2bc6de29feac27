/** The row above the editor: what was done is undone, the start comes back; and whether the code is kept. */
import type { Code } from '../store'
import type { EditorHistory } from './code-editor-props'
import { Button } from '../../ui/Button'
import './editor.css'

export interface EditorToolbarProps {
  readonly code: Code
  readonly history: EditorHistory
  readonly onUndo: () => void
  readonly onRedo: () => void
  /** Asks nothing: undo brings the text back, and so does 'Bring my text back'. */
  readonly onReset: () => void
  readonly onBringBack: () => void
}

interface ActionProps {
  readonly label: string
  readonly isOff?: boolean
  readonly onPress: () => void
}

/** One that is off keeps the focus: pressing it again and again must not throw the keyboard out. */
const Action = ({ label, isOff = false, onPress }: ActionProps) => (
  <Button look="small" label={label} isOff={isOff} onClick={() => onPress()} />
)

export const EditorToolbar = ({
  code: { text, start, discarded, isKept },
  history: { canUndo, canRedo },
  onUndo,
  onRedo,
  onReset,
  onBringBack,
}: EditorToolbarProps) => (
  <div className="editor-toolbar cluster split no-print">
    <div className="button-row" role="group" aria-label="Editing">
      <Action label="Undo" isOff={!canUndo} onPress={onUndo} />
      <Action label="Redo" isOff={!canRedo} onPress={onRedo} />
      <Action label="Reset to start" isOff={text === start} onPress={onReset} />
      {discarded !== null && discarded !== text && (
        <Action label="Bring my text back" onPress={onBringBack} />
      )}
    </div>
    <p className={`small ${isKept ? 'quiet' : 'warn'}`} role="status">
      {isKept
        ? 'Kept on this device.'
        : 'Not kept: this browser’s storage is blocked or full. Your code lasts as long as this page.'}
    </p>
  </div>
)
