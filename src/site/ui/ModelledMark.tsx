/** At whatever a modelled machine says, within an element of the class 'modelled'. */
import './modelled.css'

export const ModelledMark = () => <span className="modelled-mark bold">modelled</span>
