/**
 * Files of the visitor's, the same on every page that opens them: chosen, dropped or pasted, and
 * what is seen while they are read.
 */
import { memo, useCallback, useEffect, useState } from 'react'
import type { FileProgress } from '../../import-worker/protocol'
import { inBackground } from '../../state/in-background'
import { formatCount } from '../format'
import { useLab } from '../lab-context'
import { Button } from '../Button'
import { droppedFiles } from './dropped-files'
import type { Sketch } from '../../../trace/formats/import/sketch'
import './import.css'

/** Areas of time over the time that has been read, in px of the picture's own. */
const ROW = 20
const pathOf = (busy: Float32Array): string =>
  busy.reduce((path, share, at) => {
    const height = (share * (ROW - 2)).toFixed(1)
    return share > 0 ? `${path}M${String(at)} ${String(ROW)}v-${height}h1v${height}z` : path
  }, '')

/** When each thread was busy. Made anew with the sketch only: progress is said far more often. */
const ReadSoFar = memo(({ sketch: { rows } }: { readonly sketch: Sketch }) => (
  <figure className="import-sketch stack-4">
    <svg
      viewBox={`0 0 ${String(rows[0]?.busy.length ?? 1)} ${String(ROW * rows.length)}`}
      preserveAspectRatio="none"
      height={ROW * rows.length}
      aria-hidden
    >
      {rows.map(({ isDevice, busy }, row) => (
        <path
          key={row}
          className={isDevice ? 'import-sketch-device' : undefined}
          transform={`translate(0 ${String(ROW * row)})`}
          d={pathOf(busy)}
        />
      ))}
    </svg>
    <figcaption className="small quiet">
      What has been read so far: when each thread was busy, with device streams below.
    </figcaption>
  </figure>
))

const LOOK = { main: 'button-main', small: 'button-small', plain: 'button-plain button-small' } as const

interface FileButtonProps {
  readonly label: string
  readonly look: keyof typeof LOOK
  readonly multiple?: boolean
  readonly onFiles: (files: readonly [File, ...File[]]) => void
}

export const FileButton = ({ label, look, multiple = false, onFiles }: FileButtonProps) => (
  <label className={`button file-button no-print ${LOOK[look]}`}>
    {label}
    {/* No list of endings: .json.gz would be shut out by most of them. */}
    <input
      type="file"
      multiple={multiple}
      onChange={(event) => {
        const [first, ...others] = event.target.files ?? []
        event.target.value = ''
        if (first) onFiles([first, ...others])
      }}
    />
  </label>
)

interface ImportBarProps {
  readonly file: FileProgress
  readonly onCancel: () => void
}

/** While a file is read: how far it is, and the way out. */
export const ImportBar = ({ file: { name, progress }, onCancel }: ImportBarProps) => (
  <div className="import-bar passage panel breaks stack-8 no-print" data-testid="reading">
    <p>
      Opening <strong>{name}</strong>
    </p>
    <div className="run-bar cluster-8-12">
      <Button onClick={onCancel}>Cancel</Button>
      <progress className="run-progress" max={1} value={progress.fraction} aria-label="Progress of reading" />
      <span className="tabular small quiet" role="status">
        {progress.phase}
      </span>
    </div>
    {progress.sketch && <ReadSoFar sketch={progress.sketch} />}
  </div>
)

/** Returns whether a file is being dragged over the page. */
function useDroppedFiles(take: (files: readonly File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault() // or the browser would open the file itself
      setIsOver(true)
    }
    const onLeave = (event: DragEvent) => {
      // Out of the window, not from one element to the next.
      if (event.relatedTarget === null) setIsOver(false)
    }
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setIsOver(false)
      if (event.dataTransfer) inBackground(droppedFiles(event.dataTransfer).then(take))
    }
    const onPaste = ({ clipboardData }: ClipboardEvent) => take([...(clipboardData?.files ?? [])])
    const stop = new AbortController()
    const { signal } = stop
    window.addEventListener('dragover', onOver, { signal })
    window.addEventListener('dragleave', onLeave, { signal })
    window.addEventListener('drop', onDrop, { signal })
    window.addEventListener('paste', onPaste, { signal })
    return () => stop.abort()
  }, [take])
  return isOver
}

/** Opens files of the visitor's on the page 'trace', from wherever they were given. */
function useOpenFiles(): (files: readonly File[]) => void {
  const { route, opened } = useLab()
  return useCallback(
    (files) => {
      const [first] = files
      if (!first) return
      // Not one that the address names: that keeps it for as long as it is shown.
      const onShow = () => route.go({ page: 'trace', query: {} })
      if (route.store.getState().route.page !== 'trace') onShow()
      inBackground(
        opened.open({
          name: files.length === 1 ? first.name : formatCount(files.length, 'file'),
          from: '',
          origin: 'imported',
          onShow,
          take: files.map((file) => ({ name: file.name, blob: file })),
        }),
      )
    },
    [route, opened],
  )
}

/**
 * The door to the page 'trace': a button to choose files; and they may be dropped anywhere, or
 * pasted.
 */
export const FileDoor = (props: Pick<FileButtonProps, 'label' | 'look'>) => {
  const take = useOpenFiles()
  const isOver = useDroppedFiles(take)
  return (
    <>
      <FileButton {...props} multiple onFiles={take} />
      {isOver && (
        <div className="drop-over size-3 stack bold" aria-hidden="true">
          <p>Drop it to open it here</p>
        </div>
      )}
    </>
  )
}
