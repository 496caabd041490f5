// Entry point of the single executable: bin/chat-server.ts without its check of Node's version, since Node is
// included.
import { main } from '../../../bin/main.ts'

void main(process.argv)
