/** Takes the visitor's own trace on the home page: dropped anywhere, pasted or chosen. */
import { FileButton, useDroppedFiles, useOpenFiles } from '../import/FileButton'

export const DropTrace = () => {
  const take = useOpenFiles()
  const isOver = useDroppedFiles(take)
  return (
    <div data-over={isOver || undefined}>
      <FileButton label="Choose files" look="small" multiple onFiles={take} />
    </div>
  )
}
