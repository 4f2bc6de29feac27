/** Takes the visitor's own trace on the home page: dropped anywhere, pasted or chosen. */
import { FileButton } from '../import/FileButton'
import { useGivenFiles } from '../trace/use-given-files'
import { useOpenFiles } from '../trace/use-open-files'

export const DropTrace = () => {
  const take = useOpenFiles()
  const isOver = useGivenFiles(take)
  return (
    <div data-over={isOver || undefined}>
      <FileButton label="Choose files" look="small" multiple onFiles={take} />
    </div>
  )
}
