/** Files that are dropped anywhere on a page, or pasted into it. */
import { useEffect, useState } from 'react'

/** Above the page while a file is dragged over it. */
export const DropOver = () => (
  <div className="drop-over size-3 stack bold" aria-hidden="true">
    <p>Drop it to open it here</p>
  </div>
)

/** Returns whether a file is being dragged over the page. */
export function useDroppedFiles(take: (files: readonly File[]) => void): boolean {
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
      take([...(event.dataTransfer?.files ?? [])])
    }
    const onPaste = ({ clipboardData }: ClipboardEvent) => take([...(clipboardData?.files ?? [])])
    window.addEventListener('dragover', onOver)
    window.addEventListener('dragleave', onLeave)
    window.addEventListener('drop', onDrop)
    window.addEventListener('paste', onPaste)
    return () => {
      window.removeEventListener('dragover', onOver)
      window.removeEventListener('dragleave', onLeave)
      window.removeEventListener('drop', onDrop)
      window.removeEventListener('paste', onPaste)
    }
  }, [take])
  return isOver
}
