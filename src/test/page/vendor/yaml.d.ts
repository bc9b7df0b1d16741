export * from "js-yaml";
