// What the single executable runs: bin/chat-server.ts without its check of Node's version, since it brings its own.
import { main } from '../../../bin/main.ts'

void main(process.argv)
