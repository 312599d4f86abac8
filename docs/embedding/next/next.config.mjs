export default { serverExternalPackages: ["@agent-marketplace/embed"] }
