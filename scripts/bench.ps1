# scripts/bench.ps1 [ARGS]: scripts/bench for Windows. Not run here: written with care, tried by nobody yet.
# Names what is missing and how to install it, builds in release, and runs `skinbench run ARGS` from the folder it was called in.
# --dry-run sets up and builds, lists the cases, and measures nothing. The exit code is skinbench's own.
$ErrorActionPreference = 'Stop'
$Root = Split-Path -Parent $PSScriptRoot

# Like the Linux script: 2 means that it could not do what was asked.
function Stop-WithError([string] $Message) {
    [Console]::Error.WriteLine("error: $Message")
    exit 2
}

function Test-Command([string] $Name) { $null -ne (Get-Command $Name -ErrorAction SilentlyContinue) }

# What building shaderc and skinbench takes, and the winget package that has it.
$Needs = [ordered]@{
    cargo  = 'Rustlang.Rustup'
    cmake  = 'Kitware.CMake'
    ninja  = 'Ninja-build.Ninja'
    git    = 'Git.Git'
    python = 'Python.Python.3.12'
}

function Get-Missing { $Needs.Keys | Where-Object { -not (Test-Command $_) } }

function Install-Missing {
    $missing = @(Get-Missing)
    if ($missing.Count -eq 0) { return }
    $packages = $missing | ForEach-Object { $Needs[$_] }
    if (-not (Test-Command winget)) { Stop-WithError "missing: $($missing -join ', '); install them and run this script again" }
    [Console]::Error.WriteLine("Installing with winget: $($packages -join ' ')")
    foreach ($package in $packages) {
        winget install --exact --id $package --accept-source-agreements --accept-package-agreements | Out-Host
        if ($LASTEXITCODE -ne 0) { Stop-WithError "could not install ${package}: install it by hand, then run this script again" }
    }
    Stop-WithError 'the new programs are found by a new terminal only: open one and run this script again'
}

function Test-Rust {
    $needed = [version]((Select-String -Path "$Root\Cargo.toml" -Pattern '^rust-version = "(.*)"').Matches[0].Groups[1].Value)
    $have = [version](((cargo --version) -split ' ')[1] -replace '-.*', '')
    if ($have -lt $needed) { Stop-WithError "Rust $needed or newer is needed, this is ${have}: run 'rustup update stable'" }
}

# The first line. The loader comes with every GPU driver; SwiftShader or lavapipe must be registered by hand.
function Show-Driver {
    if (Test-Path "$env:SystemRoot\System32\vulkan-1.dll") { [Console]::Error.WriteLine('Vulkan driver: that of this system.') }
    else { Stop-WithError 'no Vulkan loader (vulkan-1.dll): install the driver of your GPU, or the Vulkan runtime and a software driver' }
}

function Invoke-Build {
    Push-Location $Root
    try { cargo build --locked --release } finally { Pop-Location }
    if ($LASTEXITCODE -ne 0) { Stop-WithError 'the build failed: see the lines above (it needs the C++ build tools of Visual Studio)' }
}

function Get-TargetFolder {
    Push-Location $Root
    try { (cargo metadata --locked --no-deps --format-version 1 | ConvertFrom-Json).target_directory } finally { Pop-Location }
}

# The value of --out, or nothing.
function Get-Out([string[]] $Arguments) {
    for ($i = 0; $i -lt $Arguments.Count; $i++) {
        if ($Arguments[$i] -eq '--out' -and $i + 1 -lt $Arguments.Count) { return $Arguments[$i + 1] }
        if ($Arguments[$i] -like '--out=*') { return $Arguments[$i].Substring(6) }
    }
}

# The result files that this run wrote, however it ended.
function Get-Results([datetime] $Since, [string[]] $Arguments) {
    $out = Get-Out $Arguments
    $files = if ($out) { Get-Item $out -ErrorAction SilentlyContinue } else { Get-ChildItem 'results\*.json' -ErrorAction SilentlyContinue }
    $files | Where-Object { $_.LastWriteTime -ge $Since }
}

# The page stands beside the result. Its failure does not change what the measurement said.
function Write-Report([string] $Program, [string] $Result) {
    $ErrorActionPreference = 'Continue' # in here: else Windows PowerShell takes a redirected line on standard error for an exception
    & $Program help report *> $null
    if ($LASTEXITCODE -ne 0) { return }
    $page = [IO.Path]::ChangeExtension($Result, '.html')
    & $Program report $Result --out $page | Out-Host
    if (Test-Path $page) { [Console]::Error.WriteLine("report: $page") }
}

Show-Driver
Install-Missing
Test-Rust
Invoke-Build
$Program = Join-Path (Get-TargetFolder) 'release\skinbench.exe'
$Start = Get-Date
& $Program run @args
$Status = $LASTEXITCODE
foreach ($result in @(Get-Results $Start $args)) {
    [Console]::Error.WriteLine("result: $($result.FullName)")
    Write-Report $Program $result.FullName
}
exit $Status
