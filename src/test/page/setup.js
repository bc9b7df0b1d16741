/** Lets Node.js import the modules of the page; to be named with --import. */
import { register } from "node:module";

register("./libraries.js", import.meta.url);
